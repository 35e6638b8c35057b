"""The protocol for operators: another port, never part of the SDK."""
