"""The two-run leak test on bytes: a real worker, a real store, a real gRPC channel, and everything that a seat is sent.

The engine's two-run test (`landsraad_engine.testing.leaks.two_runs`) makes a position in which what a seat must not
know is changed, and finds inputs for both. Here both positions stand on a service of their own each, the same inputs
are sent, and the bytes that come back to the seat, and to spectators, are compared: streams, answers, refusals,
explanations, presence, clocks, replays.
"""
