"""Processes: the supervisor, its children, the worker, and how each of them starts and ends."""
