"""Reading-comprehension systems that measure the dataset; never imported by the stages."""
