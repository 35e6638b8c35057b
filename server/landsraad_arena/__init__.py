"""Ladders: leagues, their schedules, results and ratings. A client of the service."""
