"""The work behind the commands: local play, and services of their own."""
