"""The engine build: the rules that a match names, and by which alone it is advanced."""

from landsraad_engine import __version__
from landsraad_engine.content.digests import sources_digest


def engine_build() -> str:
    """Return the version with a digest over the sources of the rules: another rule makes another build."""
    return f"{__version__}+{sources_digest('landsraad_engine')[:16]}"
