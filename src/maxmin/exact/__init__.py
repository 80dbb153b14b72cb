"""Exact answers over the rationals: values and strategies as fractions, proved in exact arithmetic."""
