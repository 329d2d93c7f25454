"""`python -m dame_fast`: the command `dame-fast`."""

from dame_fast.cli import main

if __name__ == "__main__":
    main()
