"""Examples in docstrings are right."""

import doctest
import importlib
import pkgutil

import pytest

import maxmin

MODULES = ["maxmin", *(found.name for found in pkgutil.walk_packages(maxmin.__path__, "maxmin."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    assert doctest.testmod(importlib.import_module("maxmin.solve")).attempted > 0
