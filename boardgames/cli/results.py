"""Commands about stored results: to explore, list, retell, import, write, copy, merge and delete them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from boardgames.cli.app import (
    Group,
    ResultFileCommand,
    import_games,
    make_console,
    make_printable,
    print_json,
    print_line,
    print_warning,
    show_bar,
    show_status,
)
from boardgames.cli.options import CORES, FILE, Games, Json, OwnAgents, Pictures, Workers, check_seat

StoredDb = Annotated[Path, typer.Option(help="Result file to read.")]


@Group.RESULTS.command(cls=ResultFileCommand)
def dashboard(
    db: Annotated[Path, typer.Option(help="Result file to show; it need not exist yet.")] = FILE,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port to listen at (default: the first free one from 8501 on)."),
    ] = None,
    address: Annotated[
        str, typer.Option(help="Address to listen at; 127.0.0.1 is for this machine only.")
    ] = "127.0.0.1",
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the browser.")] = True,
    game: Games = None,
    agent: OwnAgents = None,
) -> None:
    """Explore results in the browser.

    Example: boardgames dashboard --db boardgames.duckdb
    """
    from dashboard.launch import launch

    import_games(game)
    launch(db, address, port, show and sys.stdout.isatty())


@Group.RESULTS.command()
def metrics(
    name: Annotated[str, typer.Argument(help="A metric to explain, with its SQL.")] = "",
    json: Json = False,
) -> None:
    """Explain what is measured: all metrics, or one.

    Example: boardgames metrics length
    """
    from analytics.metric.metric import find_metric
    from analytics.metric.metric import metrics as all_metrics
    from analytics.show import handbook

    chosen = [find_metric(name)] if name else list(all_metrics().values())
    if json:
        print_json([handbook.collect_facts(metric) for metric in chosen])
    elif name:
        typer.echo("\n".join(handbook.show_metric(chosen[0])))
    else:
        make_console().print(handbook.make_metrics_table())
        typer.echo("boardgames metrics NAME explains one and shows its SQL.")


@Group.RESULTS.command(cls=ResultFileCommand)
def runs(
    db: StoredDb = FILE,
    game: Games = None,
    json: Json = False,
) -> None:
    """List stored runs.

    Example: boardgames runs --db boardgames.duckdb
    """
    from boardgames.store.listing import list_runs

    import_games(game)
    summaries = list_runs(db)
    if json:
        print_json([run._asdict() for run in summaries])
        return
    for run in summaries:
        matches = f"{run.matches:,} of {run.wanted:,} matches"
        print_line(f"{run.number}  {run.name}   ({run.created}, seed {run.seed}, {matches})")
        if run.note:
            print_line(f"   {run.note}")
        players = ", ".join(map(str, run.players))
        rules = " ".join(run.fingerprints)
        print_line(f"   players {players}; line-ups {', '.join(run.line_ups)}; rules {rules}")
        for name, problem in run.changed.items():
            print_line(f"   {name}: {problem}")
    typer.echo(f"{len(summaries)} runs, {db.stat().st_size / 1e6:.1f} MB")


@Group.RESULTS.command()
def replay(
    match: Annotated[
        str, typer.Argument(help="Match ID (cell/deal/seating), as `boardgames export matches` has them.")
    ],
    db: StoredDb = FILE,
    seat: Annotated[
        int | None, typer.Option(min=1, help="Tell only what this seat knew (default: everything).")
    ] = None,
    svg: Pictures = None,
    ignore_changes: Annotated[
        bool,
        typer.Option("--ignore-changes", help="Replay it even if the rules or agents have changed since."),
    ] = False,
    game: Games = None,
    agent: OwnAgents = None,
) -> None:
    """Retell a stored match.

    Example: boardgames replay 4711/0/0 --seat 2
    """
    from boardgames.files import write_files
    from boardgames.store.agreement.matches import find_match_problem
    from boardgames.store.replay import draw_positions, replay_stored

    import_games(game)
    replayed = replay_stored(db, match, ignore_changes)
    problem = None if ignore_changes else find_match_problem(db, match, replayed)
    if seat is not None:
        check_seat(seat, replayed.players)
    narrator = None if seat is None else seat - 1
    if svg:
        typer.echo(f"drew {len(write_files(svg, draw_positions(replayed, narrator)))} positions into {svg}")
    else:
        typer.echo(make_printable(str(replayed.transcript(narrator))))
    if problem:
        print_warning(problem)
        raise typer.Exit(1)


@Group.RESULTS.command(cls=ResultFileCommand)
def verify(
    db: StoredDb = FILE,
    matches: Annotated[
        int | None, typer.Option(min=1, help="Play a sample of about this size (default: all).")
    ] = None,
    workers: Workers = CORES,
    game: Games = None,
    agent: OwnAgents = None,
    json: Json = False,
) -> None:
    """Play stored matches again and compare.

    Exit code 1: some do not agree with what is stored.

    Example: boardgames verify --db boardgames.duckdb --matches 1000
    """
    from dataclasses import asdict

    from boardgames.run.verify import verify as verify_file

    import_games(game)
    with show_bar(f"verifying {db}") as update:
        done = verify_file(
            db, matches=matches, workers=workers, on_progress=lambda at: update(at.matches, at.wanted)
        )
    if json:
        print_json({"agrees": done.agrees, **asdict(done)})
    else:
        typer.echo(make_printable(str(done)))
    raise typer.Exit(0 if done.agrees else 1)


@Group.RESULTS.command("import")
def import_results(
    results: Annotated[
        Path, typer.Argument(help="A CSV file: date,variant,names,scores and, if known, minutes,rounds.")
    ],
    db: Annotated[Path, typer.Option(help="Result file to extend.")] = FILE,
    game: Games = None,
) -> None:
    """Import results of real matches; duplicates are skipped.

    Example: boardgames import results.csv
    """
    from boardgames.people.import_csv import import_results as take_over

    import_games(game)
    summary = take_over(results, db)
    already_there = f"; {summary.already_there:,} were there already" if summary.already_there else ""
    people = f"{summary.people} people on {summary.evenings} evenings"
    typer.echo(f"{summary.new:,} matches of {people} imported into {db}{already_there}")


@Group.RESULTS.command()
def export(
    table: Annotated[
        str,
        typer.Argument(
            metavar="WHAT", help="A table or view: results, matches, tallies, cells, seat, variant ..."
        ),
    ] = "results",
    output: Annotated[Path, typer.Option(help="A .parquet or .csv file.")] = Path("results.parquet"),
    db: StoredDb = FILE,
) -> None:
    """Write results as CSV or Parquet.

    Example: boardgames export results --output results.csv
    """
    from boardgames.store.export import export as export_table

    typer.echo(f"{export_table(db, table, output):,} rows in {output}")


@Group.RESULTS.command(cls=ResultFileCommand)
def snapshot(
    copy: Annotated[Path, typer.Argument(help="The copy to make; it replaces an earlier snapshot.")],
    db: Annotated[Path, typer.Option(help="Result file to copy, even while a run uses it.")] = FILE,
) -> None:
    """Copy a result file, even during a run.

    Example: boardgames snapshot copy.duckdb --db boardgames.duckdb
    """
    from boardgames.store.snapshot import snapshot as take_snapshot

    with show_status(f"copying {db}"):
        matches = take_snapshot(db, copy)
    typer.echo(f"copied {matches:,} matches into {copy} ({copy.stat().st_size / 1e6:.1f} MB)")


@Group.RESULTS.command()
def merge(
    other: Annotated[Path, typer.Argument(help="Result file from another machine.")],
    db: Annotated[Path, typer.Option(help="Result file to extend.")] = FILE,
) -> None:
    """Add results from another file; duplicates are skipped.

    Example: boardgames merge laptop.duckdb
    """
    from boardgames.store.merge import merge as merge_results

    checked: list[str] = []
    with show_status(f"merging {other}"):
        merged = merge_results(db, other, on_checked=checked.append)
    luck = f" and {merged.swapped_deals:,} deals with swapped chance" if merged.swapped_deals else ""
    typer.echo(f"added {merged.matches:,} matches{luck} to {db}")
    for line in checked:
        print_line(line)
    if merged.kept:
        typer.echo(f"{merged.kept:,} of the recorded matches differ in {other}; {db} keeps its own")


@Group.RESULTS.command()
def forget(
    run: Annotated[str, typer.Argument(help="A run's number or name, as `runs` shows it.")],
    db: Annotated[Path, typer.Option(help="Result file to delete from.")] = FILE,
) -> None:
    """Delete a run and free its disk space.

    Example: boardgames forget 2
    """
    from boardgames.store.forget import delete_run

    before = db.stat().st_size if db.exists() else 0
    removed = delete_run(db, run)
    typer.echo(f"{removed:,} matches removed; {before / 1e6:.1f} MB became {db.stat().st_size / 1e6:.1f} MB")
