"""Process management: the supervisor, its child processes, the worker, and how each starts and stops."""
