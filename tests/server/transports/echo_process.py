"""A server of the default transport in a process of its own: prints its port, and ends with its standard input."""

import asyncio
import sys

import grpc

from landsraad_server.request_limits import MOST_READ_BYTES
from landsraad_server.transports.grpcio import GrpcioServer
from landsraad_testkit.http2_peer import SERVICE, Methods


async def main() -> None:
    """Serve until standard input ends."""
    server = GrpcioServer(message_bytes=MOST_READ_BYTES, shared_port=False)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, Methods().handlers()),))
    print(server.listen("127.0.0.1:0"), flush=True)
    await server.start()
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)


if __name__ == "__main__":
    asyncio.run(main())
