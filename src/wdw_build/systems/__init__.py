"""Reading-comprehension systems: the paper's Table 4, readers of today, and probes for artefacts."""
