"""gRPC over HTTP/2 (RFC 9113) on asyncio, for servers: the handlers and contexts of grpc.aio, and streams by callback.

A call costs a fraction of what it costs with grpc.aio. docs/decisions/0013 tells why it was written, and what it leaves
out; 0019, why it is a distribution of its own.

`frames`, `headers` and `messages` read and build frames, header blocks and gRPC messages. `wire` is the transport side
of a connection, `intake` its receive path, scheduled by `turns`; `connection` and `stream` are the state machines of
the protocol. `limits`, `guard` and `quotas` bound the cost of a connection and of a client address, and `counters`
counts refusals. `context` is the context of a handler, `running` runs handlers, `listening` binds sockets, and
`server` is the server. `transport` is the entry point by which a service loads it.
"""
