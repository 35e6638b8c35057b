"""The match host: runs matches on the engine and keeps them in the store. It knows nothing of gRPC.

`Hall` holds the matches that a worker has in memory; a `Host` is one of them, and takes requests; its `Position` is all
that follows from the match's log, and what a request reads and changes; a `Record` is what a log entry holds.
`Attendance` sees to it that whoever is gone is told to be away, even if their worker is gone, too.
"""
