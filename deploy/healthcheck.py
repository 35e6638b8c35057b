"""Check the health of the service on this machine by the standard gRPC call; exit with 0 if it serves, else 1.

For the image's HEALTHCHECK, which cannot speak gRPC. It reads the server's LANDSRAAD_PORT and LANDSRAAD_TLS_CERT. If
clients must present a certificate, set LANDSRAAD_PROBE_CERT and LANDSRAAD_PROBE_KEY.
"""

import os
import sys
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS = 2.0


def channel(address: str) -> grpc.Channel:
    """Return a channel: plain text, or TLS that trusts exactly the server's own certificate."""
    certificate = os.environ.get("LANDSRAAD_TLS_CERT")
    if not certificate:
        return grpc.insecure_channel(address)
    own = [os.environ.get(name) for name in ("LANDSRAAD_PROBE_KEY", "LANDSRAAD_PROBE_CERT")]
    key, chain = (Path(name).read_bytes() if name else None for name in own)
    credentials = grpc.ssl_channel_credentials(Path(certificate).read_bytes(), key, chain)
    # The certificate names the host that clients use, not this machine's loopback.
    name = os.environ.get("LANDSRAAD_ADVERTISE", "localhost")
    return grpc.secure_channel(address, credentials, options=[("grpc.ssl_target_name_override", name)])


def main() -> int:
    """Call the health service once."""
    with channel(f"127.0.0.1:{os.environ.get('LANDSRAAD_PORT', '7447')}") as open_channel:
        try:
            answer = health_pb2_grpc.HealthStub(open_channel).Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        except grpc.RpcError as error:
            print(f"no answer: {error.code().name}", file=sys.stderr)
            return 1
    print(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
    return 0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1


if __name__ == "__main__":
    sys.exit(main())
