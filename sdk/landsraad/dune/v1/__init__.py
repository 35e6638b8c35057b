"""Wire types of the acts of classic Dune, generated."""
