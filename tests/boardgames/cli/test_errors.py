"""Errors, and what libraries log: told in lines on stderr, by the command line alone."""

import ast
import logging
from pathlib import Path

import pytest

from boardgames import errors
from boardgames.cli.log import LIBRARIES, LineHandler, show_log

ROOT = Path(__file__).parents[3]
KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.fixture
def log():
    """The log as the command line shows it; afterwards nobody shows it."""
    show_log()
    show_log()  # two commands in one process
    yield logging.getLogger("boardgames.store.connection")
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.NOTSET)
        for handler in [handler for handler in logger.handlers if isinstance(handler, LineHandler)]:
            logger.removeHandler(handler)


def test_only_a_file_or_a_machine_in_use_or_gone_exits_with_4():
    codes = {kind.__name__: kind.exit_code for kind in KINDS}
    assert {name for name, code in codes.items() if code == 4} == {
        "FileGone",
        "FileInUse",
        "ClusterError",
        "OutOfMemory",
    }
    assert {name for name, code in codes.items() if code == 1} == {"DoesNotAgree"}
    assert {code for code in codes.values() if code not in (1, 4)} == {2}
    assert all(issubclass(kind, errors.BoardgamesError) for kind in KINDS)


def test_changed_rules_say_how_to_play_by_todays_only_where_that_can_be_done():
    assert str(errors.RulesChanged("they changed", can_be_ignored=True)).endswith(
        "; --ignore-changes plays it by today's"
    )
    assert str(errors.RulesChanged("they changed")) == "they changed"


def test_a_warning_in_the_log_is_one_line_after_the_programs_name_and_news_are_a_line(log, capsys):
    log.warning("waiting for %s", "some.duckdb")
    log.info("Compiling the rules of pig ...")
    log.debug("nobody wants to know")
    assert capsys.readouterr() == (
        "",
        "boardgames: waiting for some.duckdb\nCompiling the rules of pig ...\n",
    )


def test_no_library_prints_or_reads_the_command_line():
    for path in (ROOT / "boardgames").rglob("*.py"):
        if "cli" in path.relative_to(ROOT / "boardgames").parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            is_print = (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            )
            is_asked_to = path.parts[-2:] == ("environments", "pettingzoo.py")  # PettingZoo's mode `human`
            assert not is_print or is_asked_to, f"{path}, line {node.lineno}"
            assert not (isinstance(node, ast.Attribute) and node.attr == "argv"), (
                f"{path}, line {node.lineno}"
            )
