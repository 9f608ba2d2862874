"""Compare variants of board games: the same luck, honest agents, stated uncertainty.

The public names, and the modules that they come from, are listed in `__init__.pyi`. They are loaded when
first used, so that `boardgames --help` stays quick.
"""

import functools
import importlib
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


@functools.cache
def _find_modules() -> dict[str, str]:
    """The public names, each with its module."""
    import ast

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [statement for statement in stub.body if isinstance(statement, ast.ImportFrom)]
    return {alias.name: str(statement.module) for statement in imports for alias in statement.names}


def __getattr__(name: str) -> Any:
    modules = _find_modules()
    if name == "__all__":
        return sorted(modules)
    if name not in modules:
        raise AttributeError(f"module 'boardgames' has no attribute {name!r}")
    return getattr(importlib.import_module(modules[name]), name)


def __dir__() -> list[str]:
    return sorted({*filter(_is_special, globals()), *_find_modules()})


def _is_special(name: str) -> bool:
    """Whether it is one of Python's own names of a module, such as __version__."""
    return name.startswith("__")
