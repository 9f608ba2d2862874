-- Of the seats of the first 12,800 deals, by tally, seat and group of 64 deals: how many, how many used it, and their wins.
SELECT tally, s.seat, s.deal // 64 AS unit, count(*) AS seats, sum(won) AS wins,
    count(*) FILTER (WHERE used > 0) AS users, coalesce(sum(won) FILTER (WHERE used > 0), 0) AS user_wins
FROM (
    UNPIVOT (
        SELECT seat.* EXCLUDE (turns), CASE rank WHEN 1 THEN 1.0 / winners ELSE 0.0 END AS won
        FROM seat JOIN match USING (cell_id, deal, seating) WHERE cell_id = $cell AND deal < 12800
    ) ON COLUMNS('tally_.*') INTO NAME tally VALUE used
) s GROUP BY ALL ORDER BY ALL
