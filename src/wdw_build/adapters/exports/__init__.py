"""Exporters: one module per format, and what the formats share."""
