"""How the points of a sweep are solved: one warm-started linear program, or each point on its own."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from maxmin.errors import GameError, MaxminError

if TYPE_CHECKING:
    from maxmin.exact.parametric_program import ParametricProgram
    from maxmin.exact.parametric_tree import Family

_POINTS_PER_TASK = 128


class Plan:
    """How points are solved: each on its own, by `maxmin.solve`."""

    points_per_task = 1

    def __init__(self, family: "Family", team: tuple[int, ...]) -> None:
        self.family = family
        self.team = team

    def solve(self, names: Sequence[str], points: Sequence[tuple[Fraction, ...]]) -> list[float]:
        """Return the value at each point."""
        from maxmin.solve import solve

        return [
            solve(self.family(**dict(zip(names, point, strict=True))), team=self.team, method="lp").value
            for point in points
        ]


class WarmPlan(Plan):
    """One linear program whose numbers change; each point starts from the basis of the one before.

    The different numbers of the program are polynomials: coefficients times monomials.
    """

    points_per_task = _POINTS_PER_TASK

    def __init__(self, program: "ParametricProgram") -> None:
        polynomials: dict[str, int] = {}
        rows: list[dict[tuple[int, ...], float]] = []

        def number(polynomial: Any) -> int:
            index = polynomials.setdefault(str(polynomial), len(polynomials))
            if index == len(rows):
                rows.append({tuple(map(int, powers)): float(c) for powers, c in polynomial.to_dict().items()})
            return index

        self.start = np.cumsum([0, *map(len, program.columns)]).astype(np.int32)
        self.row = np.array([row for column in program.columns for row in column], dtype=np.int32)
        self.entry = np.array([number(each) for column in program.columns for each in column.values()])
        self.cost = np.array([number(each) for each in program.objective])
        self.right = np.array([number(each) for each in program.right])
        self.free = np.array(program.free)
        self.powers = np.array(sorted({powers for row in rows for powers in row}))
        self.coefficients = np.array(
            [[row.get(tuple(each), 0.0) for each in self.powers.tolist()] for row in rows]
        )

    def solve(self, names: Sequence[str], points: Sequence[tuple[Fraction, ...]]) -> list[float]:
        """Return the value at each point."""
        from highspy import HighsModelStatus

        from maxmin.highs import quiet_highs

        highs = quiet_highs()
        model, basis = self._model(), None
        values = []
        floats = np.array([[float(place) for place in point] for point in points])
        table = np.prod(floats[:, None, :] ** self.powers, axis=2) @ self.coefficients.T
        for point, numbers in zip(points, table, strict=True):
            model.col_cost_ = numbers[self.cost]
            model.row_lower_ = model.row_upper_ = numbers[self.right]
            model.a_matrix_.value_ = numbers[self.entry]
            highs.passModel(model)
            if basis is not None:
                highs.setBasis(basis)
            highs.run()
            if highs.getModelStatus() != HighsModelStatus.kOptimal:
                where = ", ".join(f"{name} = {place}" for name, place in zip(names, point, strict=True))
                raise MaxminError(f"HiGHS could not solve the linear program at {where}")
            basis = highs.getBasis()
            values.append(float(highs.getObjectiveValue()))
        return values

    def _model(self) -> Any:
        """Return the program without its numbers."""
        import highspy

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.cost), len(self.right)
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_lower_ = np.where(self.free, -highspy.kHighsInf, 0.0)
        lp.col_upper_ = np.full(len(self.cost), highspy.kHighsInf)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = self.start, self.row
        return lp


def make_plan(family: "Family", axes: Mapping[str, Sequence[Fraction]], team: tuple[int, ...]) -> Plan:
    """Find out whether one program serves all points; corners are built first, so that errors come at once."""
    from maxmin.exact.parametric_program import parametric_program
    from maxmin.exact.parametric_tree import recover
    from maxmin.sources import load_tree

    corners = [
        dict(zip(axes, corner, strict=True)) for corner in product(*[{a[0], a[-1]} for a in axes.values()])
    ]
    for corner in corners:
        load_tree(family(**corner))
    try:
        tree = recover(family, tuple(axes), {name: (axis[0], axis[-1]) for name, axis in axes.items()})
    except GameError:
        return Plan(family, team)
    return WarmPlan(parametric_program(tree, team))
