"""Wells and Worms: a small complete game that uses every part of the kernel once.

It is the tutorial of docs/adding-a-game.md, and what the kernel's own tests are run on.
"""
