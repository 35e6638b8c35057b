"""The game service: workers that play matches over gRPC and keep them in Redis."""
