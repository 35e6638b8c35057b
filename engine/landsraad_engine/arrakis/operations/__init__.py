"""Meanings of the operations of `vocabulary`: conditions that hold or not, deeds that are done, effects they have.

Each operation has one function, registered under its row; a test sees to it that none is missing. Cards with texts of
their own call the frames behind them directly.
"""
