"""Files of trained players that a person has named here. A result file, an address or a message may name any
file of this machine: none is read for it.
"""

from pathlib import Path

from boardgames.errors import NotTrusted
from boardgames.game.spec import split_spec

WEIGHTS = "weights"  # the parameter that names the file
_TYPED_FILES: list[str] = []


def trust_weights(spec: str) -> None:
    """Allow the file that a person has named: `learned:FILE`, `learned-mcts:256+weights=FILE`."""
    base, values = split_spec(spec)
    named = [base.partition(":")[2], values.get(WEIGHTS)]
    _TYPED_FILES.extend(file for file in named if file and file not in _TYPED_FILES)


def find_trusted_file(file: str, spec: str) -> Path:
    """The file that a spec names, or the one of its name that was typed here: it may lie in another folder
    than when the spec was stored. Raises NotTrusted if there is none.
    """
    if file in _TYPED_FILES:
        return Path(file)
    matching = [typed for typed in _TYPED_FILES if Path(typed).name == Path(file).name]
    if not matching:
        in_python = f"call trust_agent({spec!r}) first"
        raise NotTrusted(spec, f"its weights are in the file {file}", "--agent", in_python)
    return Path(matching[-1])
