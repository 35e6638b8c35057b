"""Wire types of the acts of War for Arrakis, generated."""
