"""Planning cards, one file per deck; play.py is how one is played."""
