"""Mahdi: the Harkonnens are played by the game, against one or two humans who lead the Atreides."""
