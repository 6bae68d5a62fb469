"""`python -m ostbahn` is the command line."""

from ostbahn.cli.main import run

if __name__ == "__main__":
    run()
