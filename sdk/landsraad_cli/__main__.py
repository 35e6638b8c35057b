"""`python -m landsraad_cli`: the same as the command `landsraad`."""

from landsraad_cli import main

main()
