"""Comparison of two bots: `landsraad compare A B --game GAME`."""
