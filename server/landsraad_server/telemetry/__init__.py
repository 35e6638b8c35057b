"""Telemetry: structured logs, Prometheus metrics and OpenTelemetry traces."""
