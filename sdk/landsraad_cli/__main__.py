"""`python -m landsraad`: the same as the command."""

from landsraad_cli import main

main()
