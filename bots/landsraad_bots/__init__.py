"""Reference bots, which play through the SDK like those of third parties."""
