"""Wire types of the protocol, generated from proto/landsraad/v1; see docs/protocol.md."""
