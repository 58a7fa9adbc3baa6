"""Stage outputs on disk: folders, parts, indexes, manifests."""
