"""Playing on this machine without a service: what `simulate`, `fuzz`, `leaktest`, `replay` and `bench` do."""
