"""`python -m boardgames`"""

from boardgames.cli import main

main()
