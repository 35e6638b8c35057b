"""Schedules: rounds with bounds, Swiss rounds by rating, and continuous play."""
