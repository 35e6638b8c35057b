"""Hidden information: the log of each seat, its fold, the views built on it, and worlds sampled from them."""
