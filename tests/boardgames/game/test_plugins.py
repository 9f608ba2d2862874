"""Games come in by entry points: a healthy one works, a broken one is named, and the rest go on."""

import functools
import json

import pytest

HEALTHY = (
    "from tests.support.broken import HEALTHY\nimport dataclasses\nGAME = dataclasses.replace(HEALTHY,"
    " name='{name}')\n"
)


@pytest.fixture
def install(tmp_path):
    """A function that installs a package with these entry points in the test's folder."""

    def write_package(package: str, offers: dict[str, str], code: str, group: str = "games") -> None:
        (tmp_path / f"{package}.py").write_text(code)
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {target}" for name, target in offers.items()]
        (info / "entry_points.txt").write_text(f"[boardgames.{group}]\n" + "\n".join(lines) + "\n")

    return write_package


@pytest.fixture
def run(tmp_path, run_command):
    """`run_command` in the test's folder, with the packages that are installed there."""
    return functools.partial(run_command, folder=tmp_path, import_from=[tmp_path])


def test_an_installed_game_is_listed_and_found_by_name(install, run):
    install("chess_club", {"blitz": "chess_club:GAME"}, HEALTHY.format(name="blitz"))
    listed = json.loads(run("list", "--json").stdout)
    assert [game["game"] for game in listed["games"] if game["game"] == "blitz"] == ["blitz"]
    assert "cards dealt to each" in run("show", "blitz").stdout


def test_a_broken_plug_in_is_named_and_the_rest_work(install, run):
    install("chess_club", {"blitz": "chess_club:GAME"}, HEALTHY.format(name="blitz"))
    install("wreck", {"wreck": "wreck:GAME"}, "import no_such_thing\n")
    listed = run("list")
    assert listed.returncode == 0
    assert "blitz" in listed.stdout
    assert listed.stderr.count("\n") == 1
    assert "plug-in 'wreck': there is no module 'no_such_thing'" in listed.stderr
    named = run("show", "wreck")
    assert named.returncode == 2
    assert "Traceback" not in named.stderr


@pytest.mark.long
def test_a_broken_agent_troubles_only_those_who_name_it(install, run):
    install("wreck", {"wreck": "wreck:FAMILY"}, "import no_such_thing\n", "agents")
    listed = run("list")
    assert listed.returncode == 0
    assert "greedy" in listed.stdout
    assert "plug-in 'wreck': there is no module 'no_such_thing'" in listed.stderr
    spec = "tic-tac-toe"
    assert run("--quiet", "simulate", spec, "--agents", "greedy", "--matches", "1", "--dry-run").stderr == ""
    named = run("simulate", spec, "--agents", "wreck", "--matches", "1", "--dry-run")
    assert (named.returncode, "no module 'no_such_thing'" in named.stderr) == (2, True)


def test_a_broken_metric_is_named_and_the_others_go_on(install, run):
    install("wreck", {"wreck": "wreck:METRIC"}, "METRIC = 1\n", "metrics")
    listed = run("metrics")
    assert listed.returncode == 0
    assert "length" in listed.stdout
    assert "metric plug-in 'wreck'" in listed.stderr


def test_a_plug_in_that_breaks_the_protocol_gets_the_field_and_the_law(install, run):
    install(
        "wreck",
        {"wreck": "wreck:GAME"},
        HEALTHY.format(name="wreck").replace("name=", "streams=('a', 'a'), name="),
    )
    result = run("check", "wreck")
    assert result.returncode == 2
    assert (
        "plug-in 'wreck' does not keep the protocol: game 'wreck', streams: it is a tuple of different names"
        in result.stderr
    )


def test_two_games_of_one_name_are_a_clash_that_says_what_to_do(install, run):
    install("one_club", {"blitz": "one_club:GAME"}, HEALTHY.format(name="blitz"))
    install("two_club", {"blitz": "two_club:GAME"}, HEALTHY.format(name="blitz"))
    result = run("show", "blitz")
    assert result.returncode == 2
    assert "two plug-ins are called 'blitz'" in result.stderr
    assert "Uninstall one, or name a game by its module" in result.stderr
    assert run("show", "two_club:GAME").returncode == 0


def test_an_entry_point_has_the_games_own_name(install, run):
    install("chess_club", {"rapid": "chess_club:GAME"}, HEALTHY.format(name="blitz"))
    assert "its entry point must have the game's own name, 'blitz'" in run("show", "rapid").stderr


def test_own_variants_appear_in_the_list(install, run, tmp_path):
    install("chess_club", {"blitz": "chess_club:GAME"}, HEALTHY.format(name="blitz"))
    (tmp_path / "variants.toml").write_text('[bullet]\nbase = "blitz"\nhand = 1\nwhy = "even shorter"\n')
    listed = run("list")
    assert "bullet" in listed.stdout
    assert "hand=1" in listed.stdout
    assert json.loads(run("list", "--json").stdout)["own_variants"][0]["why"] == "even shorter"
