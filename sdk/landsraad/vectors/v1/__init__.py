"""Wire types of the test vectors, generated."""
