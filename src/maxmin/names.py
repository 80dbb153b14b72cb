"""Names that people mistype: which of the known ones are near."""

import difflib
from collections.abc import Iterable, Sequence

from maxmin.errors import UnknownNameError


def nearest(name: str, known: Iterable[str], *, most: int = 3, cutoff: float = 0.6) -> list[str]:
    """List the known names that are most like `name`, nearest first; upper and lower case are the same here.

    Parameters
    ----------
    name
        What was written.
    known
        The names that there are.
    most
        List no more than so many.
    cutoff
        How like it a name must be, from 0 (anything) to 1 (equal).
    """
    folded = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=most, cutoff=cutoff)
    return [folded[each] for each in near]


def unknown_method(method: object, known: Sequence[str]) -> UnknownNameError:
    """Return the error that says that there is no such method, and which there are."""
    near = nearest(str(method), known, most=2)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UnknownNameError(f"there is no method {method!r}: {hint}there are {', '.join(known)}")
