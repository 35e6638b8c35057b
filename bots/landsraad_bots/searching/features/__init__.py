"""The features of positions from which values are learned, in the eyes of one seat."""
