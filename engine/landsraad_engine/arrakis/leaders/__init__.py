"""Named leaders: how they enter play, their special actions, how they leave."""
