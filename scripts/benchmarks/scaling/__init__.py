"""What the pipeline costs as the corpus grows."""
