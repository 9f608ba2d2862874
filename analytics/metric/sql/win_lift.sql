-- Of the seats of the first 12,800 blocks, by counter, seat and group of 64 blocks: how many, how many used it, and their wins.
SELECT counter, s.seat, s.block // 64 AS unit, count(*) AS seats, sum(won) AS wins,
    count(*) FILTER (WHERE used > 0) AS users, coalesce(sum(won) FILTER (WHERE used > 0), 0) AS user_wins
FROM (
    UNPIVOT (
        SELECT seat.* EXCLUDE (turns), CASE place WHEN 1 THEN 1.0 / winners ELSE 0.0 END AS won
        FROM seat JOIN match USING (cell_id, block, arrangement) WHERE cell_id = $cell AND block < 12800
    ) ON COLUMNS('tally_.*') INTO NAME counter VALUE used
) s GROUP BY ALL ORDER BY ALL
