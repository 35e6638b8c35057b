"""Game service: worker processes that host matches over gRPC and keep them in Redis."""
