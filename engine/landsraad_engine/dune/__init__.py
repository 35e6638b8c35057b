"""Classic Dune for two to six factions."""
