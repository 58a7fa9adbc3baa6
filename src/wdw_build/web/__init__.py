"""Pages served from this machine."""
