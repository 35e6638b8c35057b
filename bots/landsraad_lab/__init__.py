"""The workbench for authors of bots: comparisons, and the statistics that they share with leagues."""
