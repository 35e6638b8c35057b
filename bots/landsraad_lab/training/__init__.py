"""Training: values for the searching bots, learned from matches of bots among themselves."""
