"""gRPC over HTTP/2 (RFC 9113) on asyncio, for servers: the handlers and contexts of grpc.aio, and streams by callback.

A call costs a fraction of what it costs with grpc.aio. docs/decisions/0013 tells why it was written, and what it leaves
out; 0019, why it is a distribution of its own.

`frames` knows the bytes of a frame, `headers` those of header blocks, `messages` gRPC's messages in DATA. `wire`
carries a connection's bytes, `intake` takes them in `turns` of the loop; `connection` and `stream` keep the protocol's
states. `guard` and `limits` say what a client may cost, `accounts` what all of an address may, and `counters` what was
refused. `context` is what the handler of a call sees, `running` runs handlers, `listening` has the sockets, and
`server` is what a process starts. `transport` is the entry point by which a service finds it.
"""
