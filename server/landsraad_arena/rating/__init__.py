"""Ratings: one batch fit for each league, intervals, rank ranges, and simulated ladders that test them."""
