"""A real scheduler and real worker processes: the same rows as from threads, whatever happens to the workers."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames import BadInput, ClusterGone, matches, simulate
from boardgames.cli import app
from boardgames.run.cluster import connected
from tests.processes import HANGS, interrupt

ROOT = Path(__file__).parent.parent
HASH = "SELECT count(*) AS n, bit_xor(hash(match::VARCHAR)) AS x, max(block) AS last FROM match"
PAGE = (ROOT / "docs/scale.md").read_text()
GAMES = ["--game", "./mine.py:MINE", "--game", "tests.truth.card_game:GAME"]  # what the workers may play, though not installed
ASKED = {"players": "2", "agents": ["random"]}
pytestmark = pytest.mark.long  # a scheduler and workers start for all of them


def environment(*first: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*first, ROOT)))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where client and workers find the same game."""
    path = tmp_path_factory.mktemp("cluster")
    (path / "mine.py").write_text("from tests.truth.card_game import GAME as MINE\n")
    return path


@pytest.fixture(scope="module")
def whole(folder) -> Path:
    """What threads make of it; it also compiles the game, for all."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        simulate(["./mine.py:MINE"], folder / "whole.duckdb", blocks=15_000, workers=2, **ASKED)
    finally:
        os.chdir(before)
    return folder / "whole.duckdb"


@pytest.fixture(scope="module")
def address(folder, whole):
    """`boardgames cluster local`, in a process of its own, until the tests are over."""
    line = [sys.executable, "-m", "boardgames", "cluster", "local", "--workers", "2", "--port", "0", *GAMES]
    process = subprocess.Popen(line, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True)
    told = process.stdout.readline()
    assert told.startswith("2 workers at tcp://127.0.0.1:"), told
    yield told.split()[3].rstrip(";")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=HANGS) == 0
    assert "the cluster has ended" in process.stdout.read()
    process.stdout.close()


def content(path: Path) -> list[dict]:
    return matches(path, HASH).to_pylist()


def test_a_cluster_gives_the_same_rows_though_a_worker_is_killed_in_mid_run(address, folder, whole, monkeypatch):
    monkeypatch.chdir(folder)
    with connected(address) as client:
        pids = list(client.run(os.getpid).values())
    killed: list[int] = []

    def kill(progress) -> None:
        if not killed and progress.matches > 1000:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    path = folder / "elsewhere.duckdb"
    done = simulate(["./mine.py:MINE"], path, blocks=15_000, cluster=address, report=kill, **ASKED)
    assert len(pids) == 2
    assert killed
    assert done.stored == 15_000
    assert content(path) == content(whole)
    slices = "SELECT value, sum(blocks) AS blocks, round(sum(total), 6) AS total FROM slice GROUP BY ALL ORDER BY 1"
    assert matches(path, slices).to_pylist() == matches(whole, slices).to_pylist()


def test_asking_again_plays_nothing_and_asking_for_more_adds_only_that(address, folder, monkeypatch):
    monkeypatch.chdir(folder)
    path = folder / "grown.duckdb"
    simulate(["./mine.py:MINE"], path, blocks=100, workers=1, **ASKED)
    done = simulate(["./mine.py:MINE"], path, blocks=300, cluster=address, **ASKED)
    assert (done.stored, done.there_before) == (200, 100)
    assert simulate(["./mine.py:MINE"], path, blocks=300, cluster=address, **ASKED).stored == 0


def test_a_worker_with_other_rules_or_versions_or_without_the_game_is_left_out_with_a_sentence(
    address, folder, tmp_path, monkeypatch
):
    other, old, careful = tmp_path / "other", tmp_path / "old", tmp_path / "careful"
    (other / "numpy-0.1.dist-info").mkdir(parents=True)
    old.mkdir()
    careful.mkdir()
    (careful / "mine.py").write_text(f"open({str(careful / 'mark')!r}, 'w').close()\n")  # what a message names is not imported
    (old / "mine.py").write_text(
        "from boardgames import derive\nfrom tests.truth import card_game\n\n\n"
        "def score(state, seat):\n    return card_game.score(state, seat) + 1\n\n\n"
        'MINE = derive(card_game.GAME, "magpies", score=score)\n'
    )
    (other / "numpy-0.1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 0.1\n")
    line = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    named = ["--preload", "boardgames.run.worker", *GAMES[:2]]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    workers = [
        subprocess.Popen([*line, *named, "--name", "old-rules"], cwd=old, env=environment(), **quiet),
        subprocess.Popen([*line, *named, "--name", "old-numpy"], cwd=folder, env=environment(other), **quiet),
        subprocess.Popen([*line, "--name", "careful"], cwd=careful, env=environment(), **quiet),
    ]
    monkeypatch.chdir(folder)
    try:
        with connected(address) as client:
            client.wait_for_workers(5, timeout=HANGS)
        told: list[str] = []
        done = simulate(["./mine.py:MINE"], tmp_path / "left_out.duckdb", blocks=500, cluster=address, say=told.append, **ASKED)
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()
    assert done.stored == 500
    assert sorted(line.split(": ", 1)[1].split(",")[0].split("fingerprint")[0] for line in told) == [
        "it has numpy 0.1",
        "its rules of magpies have the ",
        "magpies: not installed: start it with `--preload boardgames.run.worker --game ./mine.py:MINE`",
    ]
    assert not (careful / "mark").exists()
    assert matches(tmp_path / "left_out.duckdb", "SELECT count(*) AS n FROM match").to_pylist() == [{"n": 500}]


def test_ctrl_c_stores_what_is_finished_and_says_how_to_go_on(address, folder):
    path = folder / "stopped.duckdb"
    words = ["simulate", "./mine.py:MINE", "--players", "2", "--agents", "random", "--blocks", "100000000", "--into", str(path)]
    line = [sys.executable, "-m", "boardgames", *words, "--cluster", address]
    process = subprocess.Popen(line, cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True)
    told = interrupt(process, path)
    assert "stopped; all finished matches are stored. To go on: boardgames simulate ./mine.py:MINE" in told
    assert matches(path, "SELECT (SELECT sum(matches) FROM batch) = count(*) AS whole FROM match").to_pylist() == [{"whole": True}]
    assert content(path)[0]["n"] > 0


def test_every_command_about_large_questions_works(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (plan,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "plan.toml").write_text(plan)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert {words[1] for words in map(shlex.split, commands)} == {"plan", "simulate", "compare", "merge", "cluster"}
    for command in [*commands, "boardgames simulate plan.toml"]:
        first, *words = shlex.split(command.replace("tcp://127.0.0.1:8786", address))
        done = CliRunner().invoke(app, words)
        assert (first, done.exit_code) == ("boardgames", 0), done.output
    assert "reached: length within 2 %" in done.stdout


def test_without_a_scheduler_or_the_extra_one_is_told_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(ClusterGone, match=r"no scheduler answers at 'tcp://127.0.0.1:9'.*boardgames cluster local") as gone:
        simulate(["tests.truth.card_game:GAME"], tmp_path / "none.duckdb", blocks=1, cluster="tcp://127.0.0.1:9", **ASKED)
    assert gone.value.exit_code == 4
    assert not (tmp_path / "none.duckdb").exists()
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"needs the extra 'cluster': pip install 'boardgames\[cluster\]'"):
        simulate(["tests.truth.card_game:GAME"], tmp_path / "none.duckdb", blocks=1, cluster="tcp://127.0.0.1:9", **ASKED)
