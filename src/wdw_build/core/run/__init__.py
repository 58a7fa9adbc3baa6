"""Running stages: shards, workers, accounting, progress."""
