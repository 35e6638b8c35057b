"""Named leaders: how they enter play (entering), their special actions (special), what only one of them has (the rest).

What a leader has in common with others, boxes and special actions included, stands in the content files.
"""
