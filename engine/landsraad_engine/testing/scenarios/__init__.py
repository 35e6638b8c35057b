"""The language of scenarios, for every game: positions, answers, fixed chance, refusals."""
