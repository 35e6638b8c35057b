"""gRPC services, one module each, as thin adapters to matches and streams; `calls` has what they share."""
