"""The Possible Futures: what if some key events of the novel had gone otherwise.

sets       which Futures go together, and the option of a match
facts      what the book prints of each: leaders, cards and units that come and go
setup      the changes of the setup, in their order
course     what happens later: more cards in the first round, who enters at the end of the Supremacy Track
dr_yueh    the leader whom no hit touches, and whose loyalty passes to the victors

Boxes, special actions and combat abilities of the new leaders stand in the content files; their nine planning cards
are cards of House Harkonnen like others (cards/of_futures.py).
"""
