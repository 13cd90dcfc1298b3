"""`python -m studio` is the command `studio`."""

import sys

from studio.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
