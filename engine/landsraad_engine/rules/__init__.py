"""The rulebooks as data: one TOML entry per normative statement, cited by its id everywhere in code and tests."""
