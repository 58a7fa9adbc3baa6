"""Tests that compare a question with a passage."""
