"""How people may be called, at the table as in a file that is imported."""

import re

from boardgames.errors import InvalidInput

# as apostrophes, also those of a word processor
NAME = re.compile(r"[\w .'\u2019-]*")


def check_person_name(name: str) -> None:
    """Raise if a name has a character that could mean something where it is shown or written."""
    if not NAME.fullmatch(name):
        raise InvalidInput(
            f"the name '{name}' has a character that no name has: use letters, digits, blanks and . ' -"
        )
