"""The team belief DAG, built literally, slowly, in plain Python (Zhang, Farina, Sandholm 2023).

Nothing is folded away and no leaf classes are merged: this is what the native core is compared with. The game
is first copied into a `SideTree`, which knows only what the side does; branching-factor reduction and padding
are transformations of that tree.

Counting: a vertex is a belief or an observation point (two, if they have the same label); an edge is a pair
belief -> observation point or observation point -> belief. Terminal beliefs {leaf} count. The belief {root}
has one (empty) prescription if the root is a chance node. Leaves are not padded: a leaf is terminal in the
layer in which the game ends. So team {1, 2} of 3K3 has 490 vertices and 921 edges, of 3K4 2507 and 8126.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from maxmin.tree import LEAF, GameTree

Label = frozenset[int]


@dataclass
class SideTree:
    """A game as one side sees it: for each node its children, the side's infoset or None, its leaf or None.

    Infosets are any hashable; the children of a node with an infoset are in action order. Node 0 is the root.
    """

    children: list[list[int]] = field(default_factory=list)
    infoset: list[object] = field(default_factory=list)
    leaf: list[int | None] = field(default_factory=list)

    def add(self, infoset: object = None, leaf: int | None = None) -> int:
        self.children.append([])
        self.infoset.append(infoset)
        self.leaf.append(leaf)
        return len(self.children) - 1


def side_tree(tree: GameTree, side: Sequence[int]) -> SideTree:
    """Copy what a side needs to know of a game."""
    copy = SideTree()
    leaf_of = {node: leaf for leaf, node in enumerate(tree.leaves.tolist())}
    for node in range(tree.n_nodes):
        player = int(tree.player[node])
        copy.add(
            infoset=int(tree.infoset[node]) if player in side else None,
            leaf=leaf_of[node] if player == LEAF else None,
        )
        if node:
            copy.children[tree.parent[node]].append(node)
    return copy


def reduce_branching(tree: SideTree) -> SideTree:
    """Replace each decision among b > 2 actions by a chain: take the first one or go on, and so forth."""
    reduced = SideTree()

    def copy(node: int) -> int:
        infoset, children = tree.infoset[node], tree.children[node]
        if infoset is not None and len(children) > 2:
            return chain(infoset, children, 0)
        new = reduced.add(infoset, tree.leaf[node])
        reduced.children[new] = [copy(child) for child in children]
        return new

    def chain(infoset: object, children: list[int], step: int) -> int:
        new = reduced.add((infoset, step))
        last = step == len(children) - 2
        rest = copy(children[-1]) if last else chain(infoset, children, step + 1)
        reduced.children[new] = [copy(children[step]), rest]
        return new

    copy(0)
    return reduced


def times(tree: SideTree) -> list[int]:
    """Give each node a time, children later than parents, one time an infoset; as early as possible.

    Raises
    ------
    ValueError
        If there are no such times.
    """
    time = [0] * len(tree.children)
    for _ in range(len(tree.children) + 1):
        before = list(time)
        for node, children in enumerate(tree.children):
            for child in children:
                time[child] = max(time[child], time[node] + 1)
        latest: dict[object, int] = {}
        for node, infoset in enumerate(tree.infoset):
            latest[infoset] = max(latest.get(infoset, 0), time[node])
        time = [
            time[node] if infoset is None else latest[infoset] for node, infoset in enumerate(tree.infoset)
        ]
        if time == before:
            return time
    raise ValueError("not timeable")


def pad(tree: SideTree) -> SideTree:
    """Put dummy inactive nodes on edges, so that each infoset is at one depth; leaves stay high."""
    time = times(tree)
    padded = SideTree()

    def copy(node: int) -> int:
        new = padded.add(tree.infoset[node], tree.leaf[node])
        for child in tree.children[node]:
            top = below = new
            wait = 0 if tree.leaf[child] is not None else time[child] - time[node] - 1
            for _ in range(wait):
                below = padded.add()
                padded.children[top].append(below)
                top = below
            padded.children[below].append(copy(child))
        return new

    copy(0)
    return padded


@dataclass
class BeliefDag:
    """Beliefs, numbered as met (root 0), and for each its prescriptions: each the list of child beliefs.

    `observations` holds the labels of observation points; `links` all pairs belief -> observation point.
    """

    labels: list[Label] = field(default_factory=list)
    prescriptions: list[list[list[int]]] = field(default_factory=list)
    infosets: list[list[object]] = field(default_factory=list)
    leaf: list[int | None] = field(default_factory=list)
    observations: dict[Label, list[int]] = field(default_factory=dict)
    links: set[tuple[int, Label]] = field(default_factory=set)

    @property
    def n_vertices(self) -> int:
        return len(self.labels) + len(self.observations)

    @property
    def n_edges(self) -> int:
        return len(self.links) + sum(map(len, self.observations.values()))

    @property
    def k(self) -> int:
        """The most infosets of the side that one belief meets."""
        return max(map(len, self.infosets))

    @property
    def n_paths(self) -> int:
        """Vertices of the tree that the DAG unfolds to: the size of the converted game."""
        paths: dict[int, int] = {}

        def unfolded(belief: int) -> int:
            if belief not in paths:
                paths[belief] = 1 + sum(
                    1 + sum(unfolded(child) for child in children) for children in self.prescriptions[belief]
                )
            return paths[belief]

        return unfolded(0)

    @property
    def n_converted(self) -> int:
        """Nodes of the converted game: a node of the tree for each list of prescriptions that leads to it."""

        def unfolded(belief: int) -> int:
            below = (child for children in self.prescriptions[belief] for child in children)
            return len(self.labels[belief]) + sum(map(unfolded, below))

        return unfolded(0)

    def masks(self) -> set[int]:
        """Return the sets of leaves, as bit masks, that pure plans on the DAG reach."""
        return dag_masks(
            lambda belief: self.prescriptions[belief],
            lambda belief: None if self.leaf[belief] is None else 1 << self.leaf[belief],
        )


def dag_masks(
    prescriptions: Callable[[int], Sequence[Sequence[int]]], terminal: Callable[[int], int | None]
) -> set[int]:
    """Enumerate what pure plans on a DAG with root 0 reach, as bit masks of leaves or of leaf classes.

    Flow is copied to all children of a prescription; `terminal` gives a terminal vertex's mask, else None.
    Two children of one prescription must reach different leaves, or flow would arrive twice: that raises.
    """
    found: dict[int, set[int]] = {}

    def joined(vertex: int, children: Sequence[int]) -> set[int]:
        reached = {0}
        for child in children:
            pairs = [(old, new) for old in reached for new in below(child)]
            if any(old & new for old, new in pairs):
                raise AssertionError(f"flow from belief {vertex} reaches a leaf twice")
            reached = {old | new for old, new in pairs}
        return reached

    def below(vertex: int) -> set[int]:
        if vertex not in found:
            mask = terminal(vertex)
            found[vertex] = (
                {mask}
                if mask is not None
                else set().union(*(joined(vertex, children) for children in prescriptions(vertex)))
            )
        return found[vertex]

    return below(0)


def belief_dag(
    tree: GameTree, side: Sequence[int], *, reduced: bool = False, public: bool = False
) -> BeliefDag:
    """Build the team belief DAG of a side; of its public states (components of whole layers) if `public`."""
    plain = side_tree(tree, side)
    return _Construction(pad(reduce_branching(plain) if reduced else plain), public).dag


def unpruned_nodes(tree: GameTree, side: Sequence[int]) -> int:
    """Count nodes of the converted game in which a prescription covers all infosets of a public state."""
    padded = pad(side_tree(tree, side))
    state = _Construction(padded, public=True).public_state
    assert state is not None

    def counted(node: int, ways: int) -> int:
        others = {padded.infoset[one] for one in state[node]} - {padded.infoset[node], None}
        n_actions = {padded.infoset[one]: len(padded.children[one]) for one in state[node]}
        below = ways * prod(n_actions[infoset] for infoset in others)
        return ways + sum(counted(child, below) for child in padded.children[node])

    return counted(0, 1)


class _Construction:
    def __init__(self, tree: SideTree, public: bool) -> None:
        self.tree = tree
        self.below = self._infosets_at_or_below()
        self.public_state = self._public_states() if public else None
        self.dag = BeliefDag()
        self.number: dict[Label, int] = {}
        self.visit(frozenset([0]))

    def _infosets_at_or_below(self) -> list[set[object]]:
        below: list[set[object]] = [set() for _ in self.tree.children]

        def fill(node: int) -> set[object]:
            if self.tree.infoset[node] is not None:
                below[node].add(self.tree.infoset[node])
            for child in self.tree.children[node]:
                below[node] |= fill(child)
            return below[node]

        fill(0)
        return below

    def visit(self, label: Label) -> int:
        if label in self.number:
            return self.number[label]
        dag = self.dag
        belief = self.number[label] = len(dag.labels)
        infosets = list(dict.fromkeys(self.tree.infoset[node] for node in sorted(label)))
        infosets = [infoset for infoset in infosets if infoset is not None]
        dag.labels.append(label)
        dag.infosets.append(infosets)
        dag.leaf.append(self.tree.leaf[next(iter(label))] if len(label) == 1 else None)
        dag.prescriptions.append([])
        if dag.leaf[belief] is None:
            for choice in self.choices(label, infosets):
                observation = frozenset(self.outcome(label, choice))
                dag.links.add((belief, observation))
                dag.prescriptions[belief].append(self.observe(observation))
        return belief

    def choices(self, label: Label, infosets: list[object]) -> Iterator[dict[object, int]]:
        """List the prescriptions: one action in each infoset that the belief meets."""
        n_actions = {self.tree.infoset[node]: len(self.tree.children[node]) for node in label}
        for actions in product(*(range(n_actions[infoset]) for infoset in infosets)):
            yield dict(zip(infosets, actions, strict=True))

    def outcome(self, label: Label, choice: dict[object, int]) -> Iterator[int]:
        """List the children that agree with a prescription; all children of inactive nodes."""
        for node in label:
            infoset, children = self.tree.infoset[node], self.tree.children[node]
            yield from children if infoset is None else [children[choice[infoset]]]

    def observe(self, observation: Label) -> list[int]:
        if observation not in self.dag.observations:
            self.dag.observations[observation] = [self.visit(part) for part in self.components(observation)]
        return self.dag.observations[observation]

    def _public_states(self) -> dict[int, Label]:
        """Give each node the component of its whole layer that it is in."""
        state, layer = {}, [0]
        while layer:
            state.update({node: part for part in self.connected(layer) for node in part})
            layer = [child for node in layer for child in self.tree.children[node]]
        return state

    def components(self, nodes: Iterable[int]) -> list[Label]:
        """Split nodes into what the side tells apart."""
        if self.public_state is None:
            return self.connected(nodes)
        parts: dict[Label, set[int]] = {}
        for node in nodes:
            parts.setdefault(self.public_state[node], set()).add(node)
        return sorted(map(frozenset, parts.values()), key=min)

    def connected(self, nodes: Iterable[int]) -> list[Label]:
        """Split nodes into connected components: joined if an infoset lies at or below both."""
        parts: list[tuple[set[int], set[object]]] = []
        for node in sorted(nodes):
            joined = ({node}, set(self.below[node]))
            apart = []
            for part in parts:
                if part[1] & joined[1]:
                    joined = (joined[0] | part[0], joined[1] | part[1])
                else:
                    apart.append(part)
            parts = [*apart, joined]
        return sorted((frozenset(part) for part, _ in parts), key=min)
