"""`python -m docstead.cli`, the same as `docstead`."""

from docstead.cli import main

if __name__ == "__main__":
    main()
