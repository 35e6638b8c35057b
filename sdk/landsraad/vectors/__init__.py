"""Test vectors of the protocol for other languages; see proto/vectors/README.md."""
