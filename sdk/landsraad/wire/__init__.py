"""Engine values on the wire: what `landsraad.v1` says, in the engine's own types, both ways.

`codec.codec_for(game)` is the entrance. The server and the SDK stand on this package; nothing in it knows a rule.
"""
