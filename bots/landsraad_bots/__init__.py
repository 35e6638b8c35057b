"""Reference bots: programs that play through the SDK like anybody else's."""
