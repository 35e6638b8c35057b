"""Transports of the public port: the gRPC servers that services can run on, found by entry point.

`protocol` is what a transport offers, `grpcio` the built-in one, and `registry` finds those that are installed.
"""
