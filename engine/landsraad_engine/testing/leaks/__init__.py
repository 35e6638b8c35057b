"""The leak test: two runs of one position that differ in what a seat must not know, and canaries in every piece."""
