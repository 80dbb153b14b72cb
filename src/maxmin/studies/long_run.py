"""`LongRun`: how a study that takes minutes runs: task by task, each kept as soon as it is done.

A task is a tuple of words, such as ("3K4", "1,2", "lp"), and its answer is an object of plain types. Answers are
kept in a `Journal`; a run that was interrupted, or killed, goes on with the first task that has none.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from maxmin.errors import FileError, UnknownNameError
from maxmin.journal import Journal
from maxmin.names import nearest

Task: TypeAlias = tuple[str, ...]
Answer: TypeAlias = dict[str, Any]


def _silent(task: Task, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class LongRun:
    """How a long study runs.

    Attributes
    ----------
    games : tuple of str or None
        Only these of its games.
    seconds : float or None
        How long one task may take; None for what the study takes on its own.
    journal : Journal or None
        Where answers are kept, and found.
    callback : callable
        Told each task before it is done, the number of those that are done, and of all.
    """

    games: tuple[str, ...] | None = None
    seconds: float | None = None
    journal: Journal | None = None
    callback: Callable[[Task, int, int], object] = _silent

    def chosen(self, games: Sequence[str]) -> tuple[str, ...]:
        """Return those of the study's games that are asked for, in the study's order.

        Raises
        ------
        UnknownNameError
            If one that is asked for is not among them.
        """
        if self.games is None:
            return tuple(games)
        for name in self.games:
            if name not in games:
                near = nearest(name, games, most=2) or games
                raise UnknownNameError(f"the study has no game {name!r}; it has {', '.join(near)}")
        return tuple(name for name in games if name in self.games)

    def answers(self, tasks: Iterable[Task], answer: Callable[[Task], Answer]) -> dict[Task, Answer]:
        """Return the answer of each task: the kept one, else `answer(task)`, which is kept then."""
        tasks = tuple(tasks)
        known = {} if self.journal is None else _kept(self.journal)
        answers = {task: known[task] for task in tasks if task in known}
        for task in tasks:
            if task not in answers:
                self.callback(task, len(answers), len(tasks))
                answers[task] = answer(task)
                if self.journal is not None:
                    self.journal.append([task, answers[task]])
        return {task: answers[task] for task in tasks}


def _kept(journal: Journal) -> dict[Task, Answer]:
    """Return the answers that a journal had at the start.

    Raises
    ------
    FileError
        If an entry is no task with an answer.
    """
    kept: dict[Task, Answer] = {}
    for number, entry in enumerate(journal.entries, 2):
        match entry:
            case [[*task], dict() as answer] if all(isinstance(word, str) for word in task):
                kept[tuple(task)] = answer
            case _:
                raise FileError(f"{journal.path}:{number}: damaged; remove the file to begin anew")
    return kept
