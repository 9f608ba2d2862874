"""A real scheduler and real worker processes: the same rows as from threads, whatever happens to a worker."""

import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames import ClusterError, InvalidInput, find_variant, query, simulate
from boardgames.agents.weights import LearnedPlayer, save_player
from boardgames.cli import app
from boardgames.run import cluster
from boardgames.run.cluster import connect
from boardgames.train import cluster as training_on_cluster
from boardgames.train import train
from boardgames.train.cluster import check_cluster, collect_on_cluster
from boardgames.train.collect import NotesJob, collect_notes, count_spans, make_student
from boardgames.train.train import TrainOptions, train_player
from tests.boardgames.agents.test_learned import make_random_net
from tests.boardgames.run.liar import LIES
from tests.boardgames.run.test_answers import REASONS
from tests.support.processes import HANGS, interrupt

ROOT = Path(__file__).parents[3]
HASH = "SELECT count(*) AS n, bit_xor(hash(match::VARCHAR)) AS x, max(deal) AS last FROM match"
ROWS = "SELECT m.*, s.* FROM match m JOIN seat s USING (cell_id, deal, seating)"
PAGE = (ROOT / "docs/how/scale.md").read_text()
GAMES = ["--game", "./mine.py:MINE"]  # what the workers may play, though not installed
ASKED = {"players": "2", "agents": ["random"]}
PATIENT = """
import sys
from boardgames import cli
from boardgames.run import cluster
cluster.CONNECT_SECONDS = cluster.FIRST_PATIENCE = float(sys.argv[1])
sys.argv = ["boardgames", *sys.argv[2:]]
cli.main()
"""
pytestmark = pytest.mark.long  # a scheduler and workers start for all of them


def make_environment(*first: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*first, ROOT)))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where client and workers find the same game."""
    path = tmp_path_factory.mktemp("cluster")
    (path / "mine.py").write_text(
        "from dataclasses import replace\nfrom pathlib import Path\n"
        "from boardgames.examples import magpies\n"
        "MINE = replace(magpies.GAME, name='ravens', learned=Path(__file__).with_name('ravens.learned'))\n"
    )
    net = make_random_net("magpies", 2, 1)
    save_player(LearnedPlayer("ravens", {2: net}), path / "ravens.learned")
    return path


@pytest.fixture(scope="module")
def whole(folder) -> Path:
    """What threads make of it; it also compiles the game, for all."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        simulate("./mine.py:MINE", db=folder / "whole.duckdb", matches=15_000, workers=2, **ASKED)
    finally:
        os.chdir(before)
    return folder / "whole.duckdb"


@pytest.fixture(scope="module")
def address(folder, whole):
    """The address of a scheduler with two workers, in processes of their own until the tests are over."""
    with start_cluster(folder, "--nworkers", "2") as address:
        with connect(address) as client:
            client.wait_for_workers(2, timeout=HANGS)
        yield address


@pytest.fixture(autouse=True)
def patience(request, monkeypatch):
    """Where there is a scheduler, it is asked however slow the machine is."""
    if {"address", "frail_address"} & {*request.fixturenames}:
        monkeypatch.setattr(cluster, "CONNECT_SECONDS", HANGS)
        monkeypatch.setattr(cluster, "FIRST_PATIENCE", HANGS)


@pytest.fixture
def frail_address(folder, whole, tmp_path):
    """The address of a scheduler that gives up a task with its first worker, and has one that stays dead."""
    with start_cluster(
        folder, "--no-nanny", about=tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0"
    ) as address:
        with connect(address) as client:
            client.wait_for_workers(1, timeout=HANGS)
        yield address


@contextmanager
def start_cluster(folder: Path, *words: str, about: Path | None = None, **environment: str) -> Iterator[str]:
    """A scheduler and workers, in processes of their own until the end."""
    file = (about or folder) / "scheduler.json"
    scheduler = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    processes = [start_dask("dask_scheduler", *scheduler, folder=folder, **environment)]
    while not file.exists() or not file.read_text():  # it is there before it is written
        assert processes[0].poll() is None
        time.sleep(0.05)
    address = json.loads(file.read_text())["address"]
    processes.append(start_worker(address, *words, folder=folder))
    try:
        yield address
    finally:
        for process in reversed(processes):
            process.send_signal(signal.SIGINT)
            process.wait(timeout=HANGS)


def start_worker(address: str, *words: str, folder: Path, threads: int = 1) -> subprocess.Popen[bytes]:
    """A command that starts workers which play the game of the folder."""
    options = ["--nthreads", str(threads), "--no-dashboard", "--preload", "boardgames.run.worker", *GAMES]
    return start_dask("dask_worker", address, *words, *options, folder=folder)


def start_dask(command: str, *words: str, folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", f"distributed.cli.{command}", *words]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(line, cwd=folder, env={**make_environment(), **environment}, **quiet)


@pytest.fixture(scope="module")
def lying_address(folder, whole, tmp_path_factory):
    """The address of a scheduler with an honest worker and one that lies, and the file that says how."""
    about = tmp_path_factory.mktemp("liar")
    lie = about / "lie"
    lie.write_text("")
    with start_cluster(folder, "--no-nanny", about=about) as address:
        words = ["--no-nanny", "--preload", str(ROOT / "tests/boardgames/run/liar.py"), "--name", "liar"]
        options = ["--nthreads", "1", "--no-dashboard", "--preload", "boardgames.run.worker", *GAMES]
        liar = start_dask("dask_worker", address, *words, *options, folder=folder, LIE=str(lie))
        try:
            with connect(address) as client:
                client.wait_for_workers(2, timeout=HANGS)
            yield address, lie
        finally:
            liar.send_signal(signal.SIGINT)
            liar.wait(timeout=HANGS)


def kill_workers(address: str) -> None:
    with connect(address) as client:
        pids = list(client.run(os.getpid).values())
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def read_content(db: Path) -> list[dict]:
    return query(db, HASH).to_pylist()


def test_a_cluster_gives_the_same_rows_though_a_worker_is_killed_in_mid_run(
    address, folder, whole, monkeypatch
):
    monkeypatch.chdir(folder)
    with connect(address) as client:
        pids = list(client.run(os.getpid).values())
    killed: list[int] = []

    def kill(progress) -> None:
        if not killed and progress.matches > 1000:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    db = folder / "elsewhere.duckdb"
    done = simulate("./mine.py:MINE", db=db, matches=15_000, cluster=address, on_progress=kill, **ASKED)
    assert len(pids) == 2
    assert killed
    assert done.stored == 15_000
    assert read_content(db) == read_content(whole)
    slices = (
        "SELECT value, sum(deals) AS deals, round(sum(total), 6) AS total FROM slice GROUP BY ALL ORDER BY 1"
    )
    assert query(db, slices).to_pylist() == query(whole, slices).to_pylist()


@pytest.mark.parametrize("lie", LIES)
def test_a_worker_that_lies_is_left_out_with_the_reason_and_all_rows_are_those_of_the_seed(
    lie, lying_address, folder, whole, tmp_path, monkeypatch
):
    address, about = lying_address
    about.write_text(lie)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(cluster, "GRACE", HANGS)  # each worker answers, however slowly
    warnings: list[str] = []
    db = tmp_path / "lied.duckdb"
    done = simulate(
        "./mine.py:MINE", db=db, matches=3_000, cluster=address, on_warning=warnings.append, **ASKED
    )
    assert done.stored == 3_000
    theirs, ours = (query(f, f"{ROWS} WHERE m.deal < 3000 ORDER BY ALL") for f in (db, whole))
    assert theirs.equals(ours)
    from_slices = "SELECT sum(total) AS total FROM slice WHERE value LIKE 'score:%'"
    assert query(db, from_slices).to_pylist() == query(db, "SELECT sum(score) AS total FROM seat").to_pylist()
    (warning,) = warnings
    assert warning.startswith("the worker tcp://127.0.0.1:")
    assert REASONS[lie] in warning


def test_without_a_worker_that_tells_the_truth_the_run_ends_with_the_reason(
    lying_address, folder, tmp_path, monkeypatch
):
    address, about = lying_address
    about.write_text("")
    monkeypatch.chdir(folder)
    db = tmp_path / "lied.duckdb"
    with connect(address) as client:
        (honest,) = [worker for worker, name in list_workers(client).items() if name != "liar"]
        client.retire_workers([honest])
    about.write_text("false scores")
    with pytest.raises(ClusterError, match=r"no worker is left .* other values of score") as gone:
        simulate("./mine.py:MINE", db=db, matches=3_000, cluster=address, **ASKED)
    assert gone.value.exit_code == 4
    assert read_content(db)[0]["n"] == 0


def list_workers(client) -> dict[str, str]:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    return {address: str(about["name"]) for address, about in workers.items()}


def test_a_run_whose_workers_are_all_gone_ends_as_what_a_machine_that_is_gone_ends_with(
    frail_address, folder, tmp_path, monkeypatch
):
    monkeypatch.chdir(folder)
    killed: list[None] = []

    def kill(progress) -> None:
        if not killed:
            killed.append(kill_workers(frail_address))

    db = tmp_path / "gone.duckdb"
    # Dask may tell of the lost task first, or take it back
    sentence = (
        r"could not be played: the workers that had them are gone|the scheduler .* has given up this run"
    )
    with pytest.raises(ClusterError, match=sentence) as gone:
        simulate("./mine.py:MINE", db=db, matches=10**9, cluster=frail_address, on_progress=kill, **ASKED)
    assert gone.value.exit_code == 4
    assert read_content(db)[0]["n"] > 0


def test_a_training_whose_workers_are_all_gone_ends_with_a_sentence(frail_address, monkeypatch):
    monkeypatch.setattr(training_on_cluster, "PATIENCE", 1)
    variant = find_variant("magpies")
    student = make_student(
        LearnedPlayer("magpies", {2: make_random_net("magpies", 2, 1)}), "mcts:16", 0.1, 0.5
    )
    notes = collect_on_cluster(NotesJob(variant, student, 2, 12), count_spans(20), frail_address)
    next(notes)
    kill_workers(frail_address)
    # Dask may tell of the lost task first, or that there is no worker
    sentence = "labels could not be collected: the workers that had them are gone|no worker can take part"
    with pytest.raises(ClusterError, match=sentence):
        list(notes)


def test_a_training_goes_on_when_its_workers_leave_and_others_come(frail_address, folder):
    """The others have two threads, which begin at the same time. All labels are there, each once."""
    variant = find_variant("magpies")
    net = make_random_net("magpies", 2, 1)
    student = make_student(LearnedPlayer("magpies", {2: net}), "mcts:16", 0.1, 0.5)
    job = NotesJob(variant, student, 2, 12)
    notes = collect_on_cluster(job, count_spans(2), frail_address)
    there = [next(notes)]
    with connect(frail_address) as client:
        client.retire_workers(list(client.nthreads()))
    others = start_worker(frail_address, "--no-nanny", folder=folder, threads=2)
    try:
        there += itertools.islice(notes, 9)
        notes.close()
    finally:
        others.terminate()
        others.wait(timeout=HANGS)
    here = itertools.islice(collect_notes(job, count_spans(2), 2), 10)
    assert [part.tolist() for part in there] == [part.tolist() for part in here]


def test_asking_again_plays_nothing_and_asking_for_more_adds_only_that(address, folder, monkeypatch):
    monkeypatch.chdir(folder)
    db = folder / "grown.duckdb"
    simulate("./mine.py:MINE", db=db, matches=100, workers=1, **ASKED)
    done = simulate("./mine.py:MINE", db=db, matches=300, cluster=address, **ASKED)
    assert (done.stored, done.there_before) == (200, 100)
    assert simulate("./mine.py:MINE", db=db, matches=300, cluster=address, **ASKED).stored == 0


def test_a_worker_with_other_rules_or_versions_or_without_the_game_is_left_out_with_a_sentence(
    address, folder, tmp_path, monkeypatch
):
    other, old, careful = tmp_path / "other", tmp_path / "old", tmp_path / "careful"
    (other / "numpy-0.1.dist-info").mkdir(parents=True)
    old.mkdir()
    careful.mkdir()
    (careful / "mine.py").write_text(
        f"open({str(careful / 'mark')!r}, 'w').close()\n"
    )  # what a message names is not imported
    (old / "mine.py").write_text(
        "from boardgames import derive\nfrom boardgames.examples import magpies\n\n\n"
        "def score(state, seat):\n    return magpies.score(state, seat) + 1\n\n\n"
        'MINE = derive(magpies.GAME, "ravens", score=score)\n'
    )
    (other / "numpy-0.1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: numpy\nVersion: 0.1\n"
    )
    line = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
    ]
    named = ["--preload", "boardgames.run.worker", *GAMES]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    workers = [
        subprocess.Popen([*line, *named, "--name", "old-rules"], cwd=old, env=make_environment(), **quiet),
        subprocess.Popen(
            [*line, *named, "--name", "old-numpy"], cwd=folder, env=make_environment(other), **quiet
        ),
        subprocess.Popen([*line, "--name", "careful"], cwd=careful, env=make_environment(), **quiet),
    ]
    monkeypatch.chdir(folder)
    monkeypatch.setattr(cluster, "GRACE", HANGS)  # each worker answers, however slowly it starts
    try:
        with connect(address) as client:
            client.wait_for_workers(5, timeout=HANGS)
        messages: list[str] = []
        messages_of_training: list[str] = []
        check_cluster(find_variant("./mine.py:MINE"), "mcts:8", 2, address, messages_of_training.append)
        done = simulate(
            "./mine.py:MINE",
            db=tmp_path / "left_out.duckdb",
            matches=500,
            cluster=address,
            on_warning=messages.append,
            **ASKED,
        )
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()
    assert done.stored == 500
    assert sorted(line.split(": ", 1)[1].split(",")[0].split("fingerprint")[0] for line in messages) == [
        "it has numpy 0.1",
        "its rules of ravens have the ",
        "ravens: not installed: start it with `--preload boardgames.run.worker --game ./mine.py:MINE`",
    ]
    assert sorted(messages_of_training)[0].startswith("the worker tcp://127.0.0.1:")
    assert [line.split(": ", 1)[1].partition("fingerprint")[0] for line in sorted(messages_of_training)] == [
        line.split(": ", 1)[1].partition("fingerprint")[0] for line in sorted(messages)
    ]
    assert not (careful / "mark").exists()
    assert query(tmp_path / "left_out.duckdb", "SELECT count(*) AS n FROM match").to_pylist() == [{"n": 500}]


def test_ctrl_c_stores_what_is_finished_and_says_how_to_go_on(address, folder):
    db = folder / "stopped.duckdb"
    words = [
        "simulate",
        "./mine.py:MINE",
        "--players",
        "2",
        "--agents",
        "random",
        "--matches",
        "100000000",
        "--db",
        str(db),
    ]
    line = [sys.executable, "-c", PATIENT, str(HANGS), *words, "--cluster", address]
    process = subprocess.Popen(line, cwd=folder, env=make_environment(), stderr=subprocess.PIPE, text=True)
    output = interrupt(process, db)
    assert "stopped; all finished matches are stored. To go on: boardgames simulate ./mine.py:MINE" in output
    assert query(
        db, "SELECT (SELECT sum(matches) FROM batch) = count(*) AS whole FROM match"
    ).to_pylist() == [{"whole": True}]
    assert read_content(db)[0]["n"] > 0


def test_every_command_about_large_questions_works(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (plan,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "plan.toml").write_text(plan)
    commands = [
        line for deal in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in deal.splitlines()
    ]
    assert {words[1] for words in map(shlex.split, commands)} == {
        "plan",
        "simulate",
        "sweep",
        "merge",
    }
    for command in [*commands, "boardgames simulate plan.toml"]:
        first, *words = shlex.split(command.replace("tcp://127.0.0.1:8786", address))
        done = CliRunner().invoke(app, words)
        assert (first, done.exit_code) == ("boardgames", 0), done.output
    assert "reached: length within 2%" in done.stdout


def test_the_benchmark_of_a_cluster_gives_its_speed_as_a_ratio_to_threads(address, folder):
    words = [address, "magpies", "--seconds", "0.3", "--rounds", "1"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/cluster.py"), *words],
        cwd=folder,
        env=make_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["workers"] == 2
    assert report["cluster_against_threads"]["median"] > 0


def test_without_a_scheduler_or_the_extra_the_message_says_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(
        ClusterError, match=r"no scheduler answers at 'tcp://127.0.0.1:9'.*Start one with `dask scheduler`"
    ) as gone:
        simulate(
            "magpies",
            db=tmp_path / "none.duckdb",
            matches=1,
            cluster="tcp://127.0.0.1:9",
            **ASKED,
        )
    assert gone.value.exit_code == 4
    assert not (tmp_path / "none.duckdb").exists()
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InvalidInput, match=r"needs the extra 'cluster': pip install 'boardgames\[cluster\]'"):
        simulate(
            "magpies",
            db=tmp_path / "none.duckdb",
            matches=1,
            cluster="tcp://127.0.0.1:9",
            **ASKED,
        )


@pytest.mark.parametrize(
    "address",
    [
        "localhost",
        "tcp://localhost",
        "tcp://here:there",
        "",
        "http://here:1",
        "ucx://here:1",
        "tcp://a..b:1",
        f"{'a' * 70}:1",
    ],
)
def test_an_address_that_is_none_is_refused_before_anything_is_asked(tmp_path, address):
    with pytest.raises(InvalidInput, match="is not the address of a scheduler; write tcp://scheduler:8786"):
        simulate("magpies", db=tmp_path / "none.duckdb", matches=1, cluster=address or " ", **ASKED)


def test_a_safe_connection_without_a_certificate_is_refused_before_anything_is_asked(tmp_path):
    with pytest.raises(InvalidInput, match="'tls://here:1': the settings of Dask name no certificate"):
        simulate("magpies", db=tmp_path / "none.duckdb", matches=1, cluster="tls://here:1", **ASKED)


def test_a_trained_player_plays_the_same_matches_on_a_cluster(address, folder, monkeypatch):
    monkeypatch.chdir(folder)
    here, there = folder / "learned_here.duckdb", folder / "learned_there.duckdb"
    asked = {"players": "2", "agents": ["learned,greedy"], "matches": 400}
    simulate("./mine.py:MINE", db=here, workers=2, **asked)
    assert simulate("./mine.py:MINE", db=there, cluster=address, **asked).stored == 400
    assert read_content(there) == read_content(here)


def test_a_training_asks_for_a_cluster_before_anything_is_played(tmp_path):
    options = TrainOptions(teacher="mcts:16", cluster="tcp://127.0.0.1:9", on_progress=pytest.fail)
    with pytest.raises(ClusterError, match=r"no scheduler answers at 'tcp://127.0.0.1:9'"):
        train_player(find_variant("magpies"), 3, tmp_path / "magpies.learned", options)
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_collects_the_same_labels_as_threads(address, folder, tmp_path):
    variant = find_variant("magpies")
    options = TrainOptions(seed=3, workers=1)
    start = train._begin_training(variant, 3, options, tmp_path).start
    student = make_student(LearnedPlayer("magpies", {3: start}), "mcts:16", 0.1, 0.5)
    job = NotesJob(variant, student, 3, 12)
    here = list(itertools.islice(collect_notes(job, count_spans(2), 2), 6))
    there = list(itertools.islice(collect_on_cluster(job, count_spans(2), address), 6))
    assert [part.tolist() for part in here] == [part.tolist() for part in there]
    assert sum(map(len, here)) > 1000
