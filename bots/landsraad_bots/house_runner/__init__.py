"""The house runner: a process, started by the service, whose bots fill empty seats as ordinary clients."""
