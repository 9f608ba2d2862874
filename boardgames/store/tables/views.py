"""The views of a result file: tables joined and in words, for people and their tools."""

from boardgames.store.tables.bulk import BULK_TABLES

CREATE_VIEWS = """
CREATE OR REPLACE VIEW cells AS
SELECT c.id AS cell_id, v.game, v.name AS variant, c.players, c.line_up, c.seed, v.fingerprint,
    coalesce(sum(b.deals), 0)::BIGINT AS deals, coalesce(sum(b.matches), 0)::BIGINT AS matches
FROM cell c JOIN variant v ON v.id = c.variant_id LEFT JOIN batch b ON b.cell_id = c.id GROUP BY ALL;

CREATE OR REPLACE VIEW matches AS
SELECT v.game, v.name AS variant, c.players, c.line_up, c.seed,
    CASE m."end" WHEN 0 THEN 'cut off' ELSE (v.ends::VARCHAR[])[m."end"] END AS end_reason,
    m.* EXCLUDE ("end")
FROM match m JOIN cell c ON c.id = m.cell_id JOIN variant v ON v.id = c.variant_id;

CREATE OR REPLACE VIEW results AS
SELECT m.game, m.variant, m.players, m.line_up, m.deal, m.seating, s.seat, a.name AS agent, s.score, s.rank,
    CASE s.rank WHEN 1 THEN 1.0 / m.winners ELSE 0.0 END AS win_share, m.turns, m.decisions, m.end_reason,
    m.seed, m.cell_id
FROM matches m JOIN seat s ON s.cell_id = m.cell_id AND s.deal = m.deal AND s.seating = m.seating
JOIN seating t ON t.cell_id = s.cell_id AND t.seating = s.seating AND t.seat = s.seat
JOIN agent a ON a.id = t.agent_id;

CREATE OR REPLACE VIEW tallies AS
SELECT v.game, v.name AS variant, c.players, c.line_up,
    concat_ws('/', s.cell_id, s.deal, s.seating) AS "match", s.cell_id, s.deal, s.seating, s.seat,
    (v.tallies::VARCHAR[])[substr(s.tally_column, 7)::INTEGER] AS tally, s.n
FROM (UNPIVOT (SELECT cell_id, deal, seating, seat, COLUMNS('tally_.*') FROM seat)
    ON COLUMNS('tally_.*') INTO NAME tally_column VALUE n) s
JOIN cell c ON c.id = s.cell_id JOIN variant v ON v.id = c.variant_id;

CREATE OR REPLACE VIEW people AS
SELECT 'imported' AS source, m.date AS evening, m.game, m.variant, m.players, s.seat, s.person, s.score,
    s.win_share, m.minutes, m.rounds, '' AS line_up, m.id::VARCHAR AS "match"
FROM real_match m JOIN real_seat s ON s.match_id = m.id
UNION ALL
SELECT 'played here', x.changed::DATE, r.game, r.variant, r.players, r.seat, regexp_replace(r.agent,
    '^human:', ''), r.score,
    r.win_share, NULL, m.turns / r.players, r.line_up, concat_ws('/', r.cell_id, r.deal, r.seating)
FROM results r JOIN match m USING (cell_id, deal, seating) JOIN actions x USING (cell_id, deal, seating)
JOIN seating t ON t.cell_id = r.cell_id AND t.seating = r.seating AND t.seat = r.seat
JOIN agent a ON a.id = t.agent_id WHERE a.family = 'human';
"""

VIEWS = {
    "results": "One seat of one match: who sat there, the score and the share of the win. Start here.",
    "matches": "One match, with its variant, line-up and end in words.",
    "tallies": "One tally of one seat of one match: what the game counts, by name.",
    "cells": "One variant, player count and line-up on one master seed: how much of it is stored.",
    "people": "One person in one match, imported or played here.",
}

# Columns that mean the same in every view.
_COMMON = {
    "game": "name of the game",
    "variant": "name of the variant, such as celtica:en",
    "players": "player count",
    "line_up": "one agent for all seats, or one for each, separated by commas",
    "seed": "master seed: the same seed and deal mean the same shuffles and dice under every variant",
    "agent": "who plays this seat, such as mcts:256; human:Ann for a person",
    "win_share": "1 for a win, a fraction for a shared one, else 0; NULL if not known",
    "end_reason": "how the match ended, in words",
    "match": "cell_id/deal/seating: `boardgames replay` tells it",
}
_OWN = {
    "results": {"turns": "turns of all seats", "decisions": "choices of all seats, forced ones included"},
    "tallies": {"tally": "what is counted, in words", "n": "how often, in this seat and match"},
    "cells": {
        "fingerprint": "hash of the rules that run",
        "deals": "deals that are stored",
        "matches": "matches that are stored",
    },
    "people": {
        "source": "imported, or played here",
        "evening": "day it was played",
        "person": "name as imported or as given with --name",
        "minutes": "how long it took, in minutes; NULL if not known",
        "rounds": "turns divided by players, of imported matches as written down; NULL if not known",
        "match": "id of a real match, or cell_id/deal/seating of one that was played here",
    },
}


def find_view_column_meaning(view: str, column: str) -> str | None:
    """What a column of a view holds: in its own words, or as in the tables of matches and seats."""
    table = BULK_TABLES["match" if view == "matches" else "seat"]
    meanings = {name: about.meaning for name, about in table.columns.items()} | _COMMON | _OWN.get(view, {})
    return meanings.get(column)
