"""A user's own file that has the name of one of our packages is explained."""

import sys
from pathlib import Path

import pytest

from boardgames.cli.command_line import format_install, format_program, format_python
from boardgames.cli.packages import PACKAGES, find_hidden_package


@pytest.mark.parametrize("name", PACKAGES)
def test_a_file_that_hides_one_of_our_packages_is_named(name, tmp_path, monkeypatch):
    (tmp_path / f"{name}.py").write_text("")
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(tmp_path)
    assert find_hidden_package() == (
        f"{tmp_path / name}.py has the name of a package of boardgames and hides it: rename it, or start"
        " boardgames in another folder"
    )


def test_nothing_is_hidden_here():
    assert find_hidden_package() is None


def test_a_game_that_imports_the_users_own_module_of_that_name_is_explained(tmp_path, run_command):
    (tmp_path / "analytics.py").write_text("MINE = 1\n")
    (tmp_path / "mine.py").write_text("import analytics\nfrom boardgames.examples.pig import GAME\n")
    words = ["simulate", "./mine.py:GAME", "--players", "2", "--agents", "random", "--matches", "2"]
    done = run_command(*words, folder=tmp_path, PYTHONSAFEPATH="1")  # as `boardgames` itself is started
    assert done.returncode == 2
    assert f"{tmp_path / 'analytics.py'} has the name of a package of boardgames" in done.stderr
    assert "Traceback" not in done.stderr


def test_commands_to_type_name_this_python_where_another_one_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert format_python() == sys.executable
    assert format_program() == f"{sys.executable} -m boardgames"
    assert format_install("river").startswith(f"{sys.executable} -m pip install")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert (format_python(), format_program()) == ("python", "boardgames")
