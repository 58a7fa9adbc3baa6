"""What of an article is its story: finders of datelines, credits and page text, marks of what they find, profiles of sources."""
