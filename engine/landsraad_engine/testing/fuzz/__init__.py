"""The fuzzer: random settings and inputs, acts that are nearly legal, scripts that are shrunk when a match fails."""
