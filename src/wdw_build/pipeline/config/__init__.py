"""Configuration: typed settings, presets, loading."""
