"""``python -m maxmin``: the same as the command ``maxmin``."""

from maxmin.cli import main

if __name__ == "__main__":
    main()
