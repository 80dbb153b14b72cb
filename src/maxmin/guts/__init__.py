"""Guts poker: what one player can guarantee against a coalition, in one round and in the whole game."""
