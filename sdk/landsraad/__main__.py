"""`python -m landsraad`: the same as the command."""

from landsraad.cli import main

main()
