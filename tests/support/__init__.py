"""What several tests share: fakes, toy stages, small corpora and runs. Nothing here is a test."""
