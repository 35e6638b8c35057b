"""A bot for Landsraad. Its strategy is in the module `bot`."""
