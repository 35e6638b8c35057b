"""The one version of the SDK, the server and the bots; the build reads it from here."""

__version__ = "0.1.0"
