"""Every error that maxmin raises on purpose: one root, a few classes.

A message says what is wrong, where (file:line:column, infoset, player), and what to do about it.
"""


class MaxminError(Exception):
    """Root of all errors raised on purpose; catch this one to catch them all."""


class GameError(MaxminError):
    """The rules or the tree of a game are not a game: bad probabilities, payoffs, infosets or players."""


class FormatError(GameError):
    """A file is not what its format says; the message starts with ``file:line:column``."""


class FileError(MaxminError):
    """A file cannot be found, read or written; the message names it and the reason."""


class UnknownNameError(MaxminError):
    """No game, method, parameter or player has this name; the message lists the nearest ones."""


class NotTimeableError(GameError):
    """No order of play puts every infoset of a side at one time, so no belief DAG exists."""


class SizeError(MaxminError):
    """The work would not fit into the memory limit; the message says how large it would be and what to do."""


class StrategyError(MaxminError):
    """A strategy does not fit the game, or is not a distribution."""


class SolutionError(MaxminError):
    """A saved solution cannot be read, or does not hold what it claims."""


class Cancelled(MaxminError):
    """The work was interrupted before there was anything to return."""
