"""Streams: push matches to clients as they happen, and take their inputs. Knows nothing of the transport.

A `Session` is one client's stream. It takes the client's frames (`PlaySession`), sends through an `Outbox`, and has a
`LogStream` for each log that the client follows. The `SeatStream` of a seat is one that also plays it. A `WatchSession`
has the spectators' log alone.
"""
