"""The generated pages of docs/reference: each module turns one kind of declaration into one page of Markdown."""
