"""Slow and plain routes to the values of small matrix games; nothing here is shared with maxmin."""

from fractions import Fraction
from itertools import combinations

Matrix = list[list[Fraction]]


def value_by_supports(matrix: Matrix) -> Fraction:
    """The value, exactly: some square part of the matrix has equalizing weights that are optimal in the whole.

    Shapley and Snow (Contributions to the Theory of Games, 1950).
    """
    n_rows, n_columns = len(matrix), len(matrix[0])
    for size in range(1, min(n_rows, n_columns) + 1):
        for rows in combinations(range(n_rows), size):
            for columns in combinations(range(n_columns), size):
                value = _value_of_support(matrix, rows, columns)
                if value is not None:
                    return value
    raise AssertionError("every matrix game has a kernel")


def _value_of_support(matrix: Matrix, rows: tuple[int, ...], columns: tuple[int, ...]) -> Fraction | None:
    part = [[matrix[i][j] for j in columns] for i in rows]
    x = _equalize([list(column) for column in zip(*part, strict=True)])
    y = _equalize(part)
    if x is None or y is None or min(x + y) < 0:
        return None
    least = min(sum(w * matrix[i][j] for w, i in zip(x, rows, strict=True)) for j in range(len(matrix[0])))
    most = max(sum(w * row[j] for w, j in zip(y, columns, strict=True)) for row in matrix)
    return least if least == most else None


def _equalize(part: Matrix) -> list[Fraction] | None:
    """Weights with sum 1 that make all rows equal, if there is exactly one such list."""
    n = len(part)
    lines = [[*row, Fraction(-1), Fraction(0)] for row in part]
    lines.append([*[Fraction(1)] * n, Fraction(0), Fraction(1)])
    for k in range(n + 1):
        pivot = next((line for line in range(k, n + 1) if lines[line][k]), None)
        if pivot is None:
            return None
        lines[k], lines[pivot] = lines[pivot], lines[k]
        lines[k] = [number / lines[k][k] for number in lines[k]]
        for line in range(n + 1):
            if line != k and lines[line][k]:
                factor = lines[line][k]
                lines[line] = [a - factor * b for a, b in zip(lines[line], lines[k], strict=True)]
    return [line[-1] for line in lines[:n]]


def fictitious_play(matrix: Matrix, variant: str, iterations: int) -> tuple[list[int], list[int]]:
    """How often each row and each column is played: all payoffs are summed anew in each iteration."""
    rows, columns = list(range(len(matrix))), list(range(len(matrix[0])))
    played: list[tuple[int, int]] = []
    for _ in range(iterations):
        seen = played + (played[-1:] if variant == "optimistic" else [])
        row = max(rows, key=lambda i: sum(matrix[i][j] for _, j in seen))
        if variant == "alternating":
            seen = [*played, (row, 0)]
        column = min(columns, key=lambda j: sum(matrix[i][j] for i, _ in seen))
        played.append((row, column))
    return [sum(i == k for i, _ in played) for k in rows], [sum(j == k for _, j in played) for k in columns]


def regret_matching(matrix: Matrix, iterations: int) -> tuple[list[float], list[float]]:
    """The weighted average strategies of regret matching+, the rows first and then the columns."""
    payoffs = [[float(number) for number in row] for row in matrix]
    sides = [payoffs, [[-row[j] for row in payoffs] for j in range(len(payoffs[0]))]]
    regrets = [[0.0] * len(side) for side in sides]
    strategies = [[1 / len(side)] * len(side) for side in sides]
    sums = [[0.0] * len(side) for side in sides]
    for t in range(1, iterations + 1):
        for side in (0, 1):
            other = strategies[1 - side]
            gains = [sum(a * w for a, w in zip(line, other, strict=True)) for line in sides[side]]
            worth = sum(g * w for g, w in zip(gains, strategies[side], strict=True))
            regrets[side] = [max(r + g - worth, 0.0) for r, g in zip(regrets[side], gains, strict=True)]
            total = sum(regrets[side])
            n = len(gains)
            strategies[side] = [r / total if total else 1 / n for r in regrets[side]]
            sums[side] = [s + t * w for s, w in zip(sums[side], strategies[side], strict=True)]
    rows, columns = ([s / sum(side) for s in side] for side in sums)
    return rows, columns
