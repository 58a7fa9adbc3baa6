"""The pages of a study, which people open in a browser."""
