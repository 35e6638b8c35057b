"""Streams: what a client is told as it happens, and what it sends, whatever transport carries it.

A `Session` takes the frames of one client and has an `Outbox`; each seat that it plays is a `SeatStream`, a listener of
the match's host. `watching` is the same for those who only watch.
"""
