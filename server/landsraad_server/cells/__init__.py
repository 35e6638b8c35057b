"""Cells: several stores with workers of their own that clients see as one service.

A match belongs to the cell that its id names, and nothing but accounts, the load of the cells and lists crosses cells.
"""
