"""Playing: a match, bots, self-play, and the build of the rules that a match names."""
