"""6: Battle Round."""
