"""One module for each backend; heavy libraries are imported here alone, and only when they are used."""
