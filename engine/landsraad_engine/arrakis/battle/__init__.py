"""Battles: attack (who may attack whom), rounds (their sequence), roll, casualties, retreat, outcome."""
