"""The frame: settings, typed JSONL, the store, the stage contract, accounting and running. No model, no corpus."""
