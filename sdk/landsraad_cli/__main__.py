"""Run the command line by `python -m landsraad_cli`."""

from landsraad_cli import main

main()
