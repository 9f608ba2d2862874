"""Commands about a file of results: runs, replay, export, snapshot, merge, forget, dashboard."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from boardgames.cli.terminal import FILE, Games, Json, app, name_games, print_json, status


@app.command()
def runs(file: Annotated[Path, typer.Argument(help="A file of results.")] = FILE, game: Games = None, json: Json = False) -> None:
    """Show the experiments in a file.   boardgames runs"""
    from boardgames.store.runs import list_runs

    name_games(game)
    found = list_runs(file)
    if json:
        print_json([run._asdict() for run in found])
        return
    for run in found:
        typer.echo(f"{run.number}  {run.name}   ({run.created}, seed {run.seed}, {run.matches:,} of {run.wanted:,} matches)")
        if run.note:
            typer.echo(f"   {run.note}")
        typer.echo(
            f"   players {', '.join(map(str, run.players))}; line-ups {', '.join(run.line_ups)}; rules {' '.join(run.fingerprints)}"
        )
        for name, why in run.changed.items():
            typer.echo(f"   {name}: {why}")
    typer.echo(f"{len(found)} runs, {file.stat().st_size / 1e6:.1f} MB")


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="cell/block/arrangement, as the view `matches` shows it.")],
    file: Annotated[Path, typer.Option("--from", help="A file of results.")] = FILE,
    svg: Annotated[Path | None, typer.Option(help="Draw every position into this folder.")] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Even if the rules or the agents have changed since.")] = False,
    game: Games = None,
) -> None:
    """Play a stored match again, in words.   boardgames replay 4711/0/0"""
    from boardgames.files import write_files
    from boardgames.store.runs import draw_positions, replay_stored

    name_games(game)
    played = replay_stored(file, match, anyway)
    if svg:
        typer.echo(f"drew {len(write_files(svg, draw_positions(played)))} positions into {svg}")
    else:
        typer.echo(played.transcript())


@app.command()
def export(
    what: Annotated[str, typer.Argument(help="A table or view: results, matches, cells, seat, slice ...")] = "results",
    into: Annotated[Path, typer.Option(help="A .parquet or .csv file.")] = Path("results.parquet"),
    file: Annotated[Path, typer.Option("--from", help="A file of results.")] = FILE,
) -> None:
    """Write results as Parquet or CSV.   boardgames export results --into results.csv"""
    from boardgames.store.runs import export as write

    typer.echo(f"{write(file, what, into):,} rows in {into}")


@app.command()
def snapshot(
    file: Annotated[Path, typer.Argument(help="A file of results; a run may be storing into it.")],
    copy: Annotated[Path, typer.Argument(help="The copy to make; an earlier snapshot is replaced.")],
) -> None:
    """Copy a file of results to read from while a run goes on.   boardgames snapshot boardgames.duckdb copy.duckdb"""
    from boardgames.store.runs import snapshot as take

    with status(f"copying {file}"):
        matches = take(file, copy)
    typer.echo(f"copied {matches:,} matches into {copy} ({copy.stat().st_size / 1e6:.1f} MB)")


@app.command()
def merge(
    other: Annotated[Path, typer.Argument(help="Results from another machine.")],
    into: Annotated[Path, typer.Option(help="The file that takes them over.")] = FILE,
) -> None:
    """Take over results from another file; nothing is doubled.   boardgames merge laptop.duckdb"""
    from boardgames.store.runs import merge as take_over

    with status(f"merging {other}"):
        taken = take_over(into, other)
    typer.echo(f"{taken:,} matches taken over into {into}")


@app.command()
def forget(
    run: Annotated[str, typer.Argument(help="A run's number or name, as `runs` shows it.")],
    file: Annotated[Path, typer.Option("--from", help="A file of results.")] = FILE,
) -> None:
    """Remove an experiment and give the space back.   boardgames forget 2"""
    from boardgames.store.runs import forget as remove

    before = file.stat().st_size if file.exists() else 0
    removed = remove(file, run)
    typer.echo(f"{removed:,} matches removed; {before / 1e6:.1f} MB became {file.stat().st_size / 1e6:.1f} MB")


@app.command()
def dashboard(
    file: Annotated[Path, typer.Argument(help="A file of results; it need not exist yet.")] = FILE,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The first free one from 8501 on, if not said.")] = None,
    address: Annotated[str, typer.Option(help="Where to listen; 127.0.0.1 is for this machine alone.")] = "127.0.0.1",
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the browser.")] = True,
    game: Games = None,
) -> None:
    """Explore and compare results in the browser.   boardgames dashboard boardgames.duckdb"""
    from dashboard.launch import launch

    name_games(game)
    launch(file, address, port, show and sys.stdout.isatty())
