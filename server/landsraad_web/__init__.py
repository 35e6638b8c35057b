"""The page: watch, play, replay and study matches in a browser. A client of the service."""
