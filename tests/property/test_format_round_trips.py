"""Random trees come back the same through every format; damaged files are refused, never anything worse."""

import itertools
import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxmin.errors import FormatError
from maxmin.formats.efg import format_efg, parse_efg
from maxmin.formats.game_text import format_game_text, parse_game_text
from maxmin.formats.nfg import format_nfg, parse_nfg
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder

LABELS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
NUMBERS = st.fractions(max_denominator=10**6) | st.integers(-(10**12), 10**12).map(Fraction)
FLOATS = st.floats(-1e300, 1e300)


def moves(draw, least=1):
    return draw(st.lists(LABELS, min_size=least, max_size=3, unique=True))


@st.composite
def trees(draw, payoffs=NUMBERS):
    """Grow a tree node by node; any player may act anywhere, and infosets join nodes at random."""
    players = draw(st.integers(1, 3))
    names = draw(st.lists(LABELS, min_size=players, max_size=players, unique=True))
    builder = TreeBuilder(draw(LABELS), names)
    infosets = [
        (player, moves(draw), draw(LABELS)) for player in draw(st.lists(st.integers(1, players), max_size=4))
    ]
    stack, nodes = [(-1, -1)], 0
    while stack:
        parent, action = stack.pop()
        kind = draw(st.sampled_from(["leaf", "chance", "decision"])) if nodes < 12 else "leaf"
        nodes += 1
        if kind == "chance":
            labels = moves(draw)
            weights = [draw(st.integers(0 if index else 1, 60)) for index in range(len(labels))]
            odds = [Fraction(weight, sum(weights)) for weight in weights]
            node = builder.chance(parent, action, list(zip(labels, odds, strict=True)))
        elif kind == "decision" and infosets:
            key = draw(st.integers(0, len(infosets) - 1))
            player, labels, label = infosets[key]
            node = builder.decision(parent, action, player, key, labels, label)
        else:
            builder.leaf(parent, action, draw(st.lists(payoffs, min_size=players, max_size=players)))
            continue
        stack.extend((node, index) for index in reversed(range(len(labels))))
    return builder.finish()


@st.composite
def normal_forms(draw):
    """Let the players move one after the other without seeing anything."""
    players = draw(st.integers(1, 3))
    names = draw(st.lists(LABELS, min_size=players, max_size=players, unique=True))
    builder = TreeBuilder(draw(LABELS), names)
    strategies = [moves(draw) for _ in range(players)]
    level = [(-1, -1)]
    for player, (labels, name) in enumerate(zip(strategies, names, strict=True), 1):
        nodes = [builder.decision(*branch, player, 0, labels, name) for branch in level]
        level = list(itertools.product(nodes, range(len(labels))))
    for branch in level:
        builder.leaf(*branch, draw(st.lists(NUMBERS, min_size=players, max_size=players)))
    return builder.finish()


def content(tree):
    """Describe all that a tree says, with numbers and labels looked up."""
    return (
        tree.name,
        tree.player_names,
        [getattr(tree, field).tolist() for field in ("parent", "player", "infoset", "action", "first_child")],
        [tree.labels[label] for label in tree.label[1:]],
        tree.infoset_player.tolist(),
        tree.infoset_labels,
        tree.infoset_actions,
        tree.leaves.tolist(),
        [tree.numbers[number] for number in tree.probability_number],
        [[tree.numbers[number] for number in row] for row in tree.payoff_number],
    )


@given(trees())
def test_efg(tree):
    assert content(parse_efg(format_efg(tree))) == content(tree)


@given(trees())
def test_game_text(tree):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="payoffs such as")
        text = format_game_text(tree)
    assert content(parse_game_text(text)) == content(tree)


@given(normal_forms())
def test_nfg(tree):
    assert content(parse_nfg(format_nfg(tree))) == content(tree)


@given(trees(payoffs=FLOATS))
def test_floats_come_back_to_the_last_bit(tree):
    for back in (parse_efg(format_efg(tree)), parse_game_text(format_game_text(tree))):
        assert back.payoffs.tolist() == tree.payoffs.tolist()


@given(trees())
def test_the_formats_agree(tree):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="payoffs such as")
        text = format_game_text(tree)
    assert content(parse_game_text(text)) == content(parse_efg(format_efg(tree)))


PARSERS = {".efg": parse_efg, ".nfg": parse_nfg, ".game": parse_game_text}
KUHN = load_tree("kuhn_poker")
GOOD = {
    ".efg": format_efg(KUHN),
    ".nfg": format_nfg(load_tree("rock_paper_scissors")),
    ".game": format_game_text(KUHN),
}
SPLICES = st.text(max_size=3) | st.sampled_from(
    [
        '"',
        "\\",
        "{",
        "}",
        ",",
        "0",
        "1",
        "-",
        "/0",
        "e9",
        "e999",
        "nan",
        " ",
        "\n",
        "node",
        "c",
        "p",
        "t",
        "=",
        "#",
    ]
)


def refusal(read, *arguments, **keywords):
    """Return the message of the `FormatError` that reading ends in, or nothing; let no other error through."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            read(*arguments, **keywords)
        except FormatError as refused:
            return str(refused)
    return None


@pytest.mark.parametrize("suffix", GOOD)
@settings(max_examples=200)
@given(data=st.data())
def test_damaged_files_are_read_or_refused(suffix, data):
    text = GOOD[suffix]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(start + 10, len(text))))
        text = text[:start] + data.draw(SPLICES) + text[stop:]
    message = refusal(PARSERS[suffix], text, file="x")
    assert message is None or message.startswith("x:")


@pytest.mark.parametrize("suffix", GOOD)
@given(data=st.data())
def test_truncated_files_are_refused(suffix, data):
    text = GOOD[suffix].rstrip()
    if suffix == ".game":  # infosets may be left out
        text = text[: text.index("infoset")].rstrip()
    short = text[: data.draw(st.integers(0, text.rindex("\n")))]
    message = refusal(PARSERS[suffix], short, file="x")
    assert message is not None
    assert message.startswith("x:")


@pytest.mark.parametrize("suffix", GOOD)
@given(text=st.text())
def test_any_text(suffix, text):
    assert refusal(PARSERS[suffix], text, file="x").startswith("x:")


@pytest.mark.parametrize("suffix", GOOD)
@given(data=st.binary(max_size=100), head=st.booleans())
def test_any_bytes(suffix, data, head):
    """Go through a file, with the head of a good one before the bytes or without."""
    start = GOOD[suffix][:40].encode() if head else b""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{suffix}"
        path.write_bytes(start + data)
        assert refusal(load_tree, path).startswith(f"{path}:")
