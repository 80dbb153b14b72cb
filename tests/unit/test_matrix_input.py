"""What `solve_matrix` refuses, and how it says so; sparse matrices of any package."""

from fractions import Fraction

import numpy as np
import pytest

from maxmin.errors import GameError, MaxminError, SizeError, UnknownNameError
from maxmin.matrix import METHODS, solve_matrix

GOOD = [[1, -1], [-1, 1]]


class Csr:
    """A sparse matrix of nobody's package."""

    def __init__(self, matrix, *, split=False):
        """With `split`, each entry is given twice, as halves."""
        entries = np.array(matrix, dtype=float)
        self.shape = entries.shape
        rows, columns = np.nonzero(entries)
        order = np.lexsort((-columns, rows)) if split else np.arange(len(rows))
        times = 2 if split else 1
        rows, columns = np.repeat(rows[order], times), np.repeat(columns[order], times)
        self.data, self.indices = entries[rows, columns] / times, columns.astype(np.int32)
        self.indptr = np.searchsorted(rows, np.arange(len(entries) + 1)).astype(np.int32)

    def tocsr(self):
        return self


BAD = {
    "a number": (3, r"not an array of shape \(\)"),
    "a list": ([1, 2], r"not an array of shape \(2,\)"),
    "three dimensions": (np.zeros((2, 2, 2)), r"not an array of shape \(2, 2, 2\)"),
    "nothing": ([], r"not an array of shape \(0,\)"),
    "no columns": ([[], []], r"not an array of shape \(2, 0\)"),
    "no rows": (np.zeros((0, 3)), r"not an array of shape \(0, 3\)"),
    "ragged": ([[1, 2], [3]], "all rows must have the same length"),
    "NaN": ([[1, 2], [3, np.nan]], "row 1, column 1 is nan: payoffs must be finite"),
    "infinity": ([[1, -np.inf]], "row 0, column 1 is -inf: payoffs must be finite"),
    "too large for a float": ([[10**400, 1]], "payoffs must be real numbers"),
    "complex": ([[1j, 2]], "must be real numbers, not complex128"),
    "text": ([["a", "b"]], "must be real numbers, not <U1"),
    "text amid numbers": (np.array([[1, "2"]], dtype=object), "must be real numbers"),
    "true and false": ([[True, False]], "must be real numbers, not bool"),
    "true amid fractions": ([[True, Fraction(1, 2)]], "must be real numbers"),
    "None": ([[None, 1]], "must be real numbers"),
    "a name": ("kuhn_poker", "not an array"),
    "far apart": ([[1.7e308, -1.7e308]], "too far apart"),
    "sparse NaN": (Csr([[0, 0], [0, np.nan]]), "row 1, column 1 is nan"),
    "sparse, no rows": (Csr(np.zeros((0, 3))), r"not an array of shape \(0, 3\)"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("method", ["auto", "double_oracle", "rm+"])
def test_what_is_no_matrix_is_refused(name, method):
    payoffs, message = BAD[name]
    with pytest.raises(GameError, match=message):
        solve_matrix(payoffs, method=method)


EXACT_BAD = {
    "a float": ([[0.1, 1]], r"row 0, column 0 is the float 0\.1: exact payoffs are integers"),
    "NaN": ([[float("nan"), 1]], "row 0, column 0 is nan: nan is not a finite number"),
    "no number": ([[1, "x"]], "row 0, column 1 is 'x': bad number x"),
    "a zero below": ([["1/0"]], "division by zero"),
    "true": ([[1, True]], "row 0, column 1 is True"),
    "complex": ([[1j]], "row 0, column 0 is 1j"),
    "None": ([[None]], "row 0, column 0 is None"),
    "ragged": ([[1, 2], [3]], "all rows must have the same length"),
    "nothing": ([], r"not an array of shape \(0,\)"),
    "sparse fractions of two": (Csr([[0, 0.5]]), r"row 0, column 1 is the float 0\.5"),
    "a name": ("kuhn_poker", r"not an array of shape \(\)"),
}


@pytest.mark.parametrize("name", EXACT_BAD)
def test_what_is_not_exact_is_refused(name):
    payoffs, message = EXACT_BAD[name]
    with pytest.raises(GameError, match=message):
        solve_matrix(payoffs, method="exact")


ARGUMENTS = [
    ({"gap": -1}, "gap must be 0 or more, not -1"),
    ({"gap": float("nan")}, "gap must be 0 or more, not nan"),
    ({"gap": float("inf")}, "gap must be 0 or more, not inf"),
    ({"gap": "small"}, "gap must be a number, not 'small'"),
    ({"seconds": 0}, "seconds must be more than 0, not 0"),
    ({"seconds": float("nan")}, "seconds must be more than 0, not nan"),
    ({"seconds": "1"}, "seconds must be a number, not '1'"),
    ({"iterations": 0}, "iterations must be a whole number from 1 up, not 0"),
    ({"iterations": -5}, "iterations must be a whole number from 1 up, not -5"),
    ({"iterations": 2.5}, "iterations must be a whole number from 1 up, not 2.5"),
    ({"iterations": True}, "iterations must be a whole number from 1 up, not True"),
    ({"rows": [0]}, "what double_oracle begins with"),
    ({"rows": [2], "method": "double_oracle"}, "no row or column 2 to begin with: they are 0 to 1"),
    ({"columns": [-1], "method": "double_oracle"}, "no row or column -1"),
    ({"columns": ["a"], "method": "double_oracle"}, "no row or column 'a'"),
]


@pytest.mark.parametrize(("arguments", "message"), ARGUMENTS)
def test_arguments_that_make_no_sense(arguments, message):
    with pytest.raises(MaxminError, match=message):
        solve_matrix(GOOD, **arguments)


def test_matrices_that_do_not_fit():
    endless = np.broadcast_to(1.0, (3_000_000, 2_000_000))
    with pytest.raises(SizeError, match=r"3,000,000 x 2,000,000 would need 192,000,000 MB .* oracle"):
        solve_matrix(endless)


def test_methods_that_do_not_exist():
    with pytest.raises(UnknownNameError, match="did you mean double_oracle"):
        solve_matrix(GOOD, method="doubleoracle")
    with pytest.raises(UnknownNameError, match="there is no method 3: there are auto, lp"):
        solve_matrix(GOOD, method=3)


def test_methods_that_do_not_fit():
    class Oracle:
        best_row = None

    with pytest.raises(MaxminError, match="an oracle is solved by double_oracle, not by lp"):
        solve_matrix(Oracle(), method="lp")
    with pytest.raises(MaxminError, match="interior_point is for dense matrices"):
        solve_matrix(Csr(GOOD), method="interior_point")


def sparse_matrix(shape, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-5, 6, shape) * (rng.random(shape) < 0.3)


@pytest.mark.parametrize("method", sorted({*METHODS} - {"interior_point"}))
@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (14, 9), (9, 14)])
def test_sparse_matrices_are_solved_as_dense_ones(method, shape):
    for seed in range(3):
        matrix = sparse_matrix(shape, seed)
        dense = solve_matrix(matrix, method=method, iterations=300)
        sparse = solve_matrix(Csr(matrix), method=method, iterations=300)
        assert sparse.lower <= dense.upper + 1e-12
        assert dense.lower <= sparse.upper + 1e-12
        assert sparse.relative_gap == pytest.approx(dense.relative_gap, abs=1e-9)
        assert (sparse.row_strategy @ matrix).min() == pytest.approx(sparse.lower, abs=1e-12)
        assert (matrix @ sparse.column_strategy).max() == pytest.approx(sparse.upper, abs=1e-12)


def test_sparse_matrices_without_entries_and_full_ones():
    assert solve_matrix(Csr(np.zeros((3, 4)))).value == 0
    full = np.random.default_rng(1).integers(3, 9, (6, 5))
    assert solve_matrix(Csr(full)).value == pytest.approx(solve_matrix(full).value, abs=1e-9)


def test_sparse_entries_that_are_given_in_pieces_are_summed():
    matrix = sparse_matrix((12, 10), 7)
    for method in ("lp", "double_oracle", "rm+", "exact"):
        pieces = solve_matrix(Csr(matrix, split=True), method=method, iterations=500)
        assert pieces.value == pytest.approx(solve_matrix(Csr(matrix), method=method, iterations=500).value)


@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "coo_array", "lil_array"])
def test_sparse_matrices_of_scipy(kind):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse_matrix((20, 15), 8)
    solution = solve_matrix(getattr(scipy_sparse, kind)(matrix))
    assert solution.method == "lp"
    assert solution.value == pytest.approx(solve_matrix(matrix).value, abs=1e-9)


def test_the_matrix_is_left_as_it_was():
    matrix = np.random.default_rng(2).random((5, 6)) * 1e6
    before = matrix.copy()
    for method in METHODS:
        if method != "exact":
            solve_matrix(matrix, method=method, iterations=50)
    assert (matrix == before).all()


def test_any_layout_of_the_array_will_do():
    matrix = np.random.default_rng(3).random((8, 12))
    value = solve_matrix(matrix).value
    for same in (np.asfortranarray(matrix), matrix[::-1, ::-1], matrix.tolist(), matrix.astype(object)):
        assert solve_matrix(same).value == pytest.approx(value, abs=1e-12)
    assert solve_matrix(matrix.astype(np.float32)).value == pytest.approx(value, abs=1e-6)
    assert solve_matrix(np.asarray(GOOD, dtype=np.int8)).value == 0
