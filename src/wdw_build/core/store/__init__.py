"""Stage outputs on disk: folders, parts, key indexes, manifests."""
