"""BM25 search with Lucene (``ports.SearchIndex``)."""
