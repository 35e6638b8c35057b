"""Classic Dune for clients."""
