-- Of the matches with one seat alone in last place at half-time: how often this seat won.
SELECT cell_id, '' AS part, slice,
    sum(deals) FILTER (WHERE value = 'last:50') AS deals,
    sum(total) FILTER (WHERE value = 'last_and_won:50') AS top,
    sum(total) FILTER (WHERE value = 'last:50') AS base
FROM slice WHERE value IN ('last_and_won:50', 'last:50') GROUP BY cell_id, slice
