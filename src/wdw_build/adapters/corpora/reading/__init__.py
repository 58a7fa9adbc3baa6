"""What the corpus readers share: files, streams, encodings, markup, column mapping."""
