"""`ostbahn` and `python -m ostbahn`: the command line, or what has to be installed for it."""

import sys
from typing import NoReturn

from ostbahn.extras import MissingExtra, require_extra


def main() -> NoReturn:
    try:
        with require_extra("play", "the command line needs"):
            from ostbahn.cli.main import run
    except MissingExtra as missing:
        print(f"ostbahn: {missing}", file=sys.stderr)
        sys.exit(2)
    run()


if __name__ == "__main__":
    main()
