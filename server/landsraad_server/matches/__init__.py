"""Match host: runs matches on the engine and keeps them in the store. Knows nothing of gRPC.

`MatchHosts` caches the matches of one worker. Each is a `MatchHost`, which runs requests on a `HostedMatch` (the state
as of one version of the match's log) and commits what they change as a `MatchRecord`. `PresenceTracker` marks players
as away once they have disconnected or their worker has died.
"""
