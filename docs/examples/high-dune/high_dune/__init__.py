"""High Dune: two players draw a card each and may swap it once; the higher card wins."""
