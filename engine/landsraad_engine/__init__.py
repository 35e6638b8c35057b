"""The rules of classic Dune and Dune: War for Arrakis, as a pure library: no I/O, no clock, no global state."""

__version__ = "0.1.0"
