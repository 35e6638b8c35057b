"""Information-set Monte Carlo tree search (SO-ISMCTS): one tree for all worlds that your seat cannot tell apart.

Each iteration samples a world and descends the tree in it, along acts that are legal there. See Cowling, Powley and
Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4 (2012).
"""

from math import log, sqrt

from landsraad import Bot, run


class Node:
    """The acts tried after a sequence of acts, whatever world they were tried in."""

    def __init__(self, seat=None, act=None):
        self.seat = seat  #: the seat that has chosen the act
        self.act = act
        self.children = {}
        self.visits = 0
        self.available = 0  #: how often the act was legal when its parent was passed
        self.total = 0.0

    def bound(self, exploration):
        """Return the upper confidence bound. Acts that are seldom legal are not explored more for that."""
        return self.total / self.visits + exploration * sqrt(log(self.available) / self.visits)


class TreeSearch(Bot):
    iterations = 200
    exploration = 0.7
    widening = 1.5  #: a node has up to `widening * sqrt(visits)` acts: there may be millions of legal ones
    tree_depth = 12  #: decisions in the tree, at the most
    depth = 400  #: random answers after the tree, at the most

    def decide(self, view, ask):
        root = Node()
        for _ in range(self.iterations):
            world = ask.world(self.rng)
            path = self.descend(root, world, ask.seat)
            values = self.playout(world)
            root.visits += 1
            for node in path:
                node.visits += 1
                node.total += values[node.seat]
        return max(root.children.values(), key=lambda child: child.visits).act

    def descend(self, root, world, seat):
        """Play a world along the tree, up to a new node; return the nodes on the way."""
        path, node = [], root
        while world.asked and len(path) < self.tree_depth:
            seat = seat if node is root else world.asked[0]
            child, is_new = self.choose(node, seat, world.legal(seat))
            world.apply(child.act, seat)
            path.append(child)
            if is_new:
                break
            node = child
        return path

    def choose(self, node, seat, options):
        """Return a child for a legal act, and whether it is new."""
        legal = [child for child in node.children.values() if child.seat == seat and options.contains(child.act)]
        for child in legal:
            child.available += 1
        if len(legal) <= self.widening * sqrt(node.visits):
            act = options.sample(self.rng)
            if (seat, act) not in node.children:
                child = node.children[seat, act] = Node(seat, act)
                child.available = 1
                return child, True
        return max(legal, key=lambda child: child.bound(self.exploration)), False

    def playout(self, world):
        """Play on at random; return the value for each seat. Override this with an evaluation that knows the game."""
        for _ in range(self.depth):
            if not world.asked:
                break
            seat = world.asked[0]
            world.apply(world.legal(seat).sample(self.rng), seat)
        return world.result.shares if world.result else [1 / world.seats] * world.seats


if __name__ == "__main__":
    run(TreeSearch, game="dune", seats=2, opponents="random")
