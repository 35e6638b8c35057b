"""Two-run leak test on the wire: a real worker, store and gRPC channel, and every byte that a seat is sent.

The engine's two-run test (`landsraad_engine.testing.leaks.two_runs`) changes what a seat must not know in a position,
and finds inputs that are legal in both. Here each position is on a service of its own, the same inputs are sent
to both, and the bytes that come back to the seat and to spectators are compared: streams, answers, refusals,
explanations, presence, clocks, replays.
"""
