"""Bots that fill empty seats: a client of the service like any other, in a process that the service starts."""
