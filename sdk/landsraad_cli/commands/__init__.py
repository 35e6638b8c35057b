"""The subcommands of `landsraad`, one module each."""
