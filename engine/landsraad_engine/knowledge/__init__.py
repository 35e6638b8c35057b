"""Knowledge: the information log of each seat, its fold, the views on it, and worlds sampled from it."""
