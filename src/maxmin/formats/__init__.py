"""File formats of games: one file per format, its head describes the format; ``read_x`` and ``write_x``."""
