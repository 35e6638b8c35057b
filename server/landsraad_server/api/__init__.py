"""The gRPC services: thin, one module each. `calls` is what they share."""
