"""Names of cells, such as D4: rows have letters, A to Z, then AA, AB, ..., as spreadsheets name columns."""

import re

_NAME = re.compile(r"([A-Z]{1,2})([0-9]{1,9})")


def row_name(row: int) -> str:
    """Return the letters of a row; the first row is 0."""
    letters = ""
    row += 1
    while row:
        row, digit = divmod(row - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def read_cell(text: str) -> tuple[int, int]:
    """Return row and column, from 0, of a name in small or capital letters; (-1, -1) if it is no name."""
    match = _NAME.fullmatch(text.strip().upper())
    if match is None:
        return -1, -1
    row = 0
    for letter in match[1]:
        row = 26 * row + ord(letter) - ord("A") + 1
    return row - 1, int(match[2]) - 1
