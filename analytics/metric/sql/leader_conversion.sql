-- Of the matches that one seat led alone after 25, 50 and 75% of the rounds: how often this seat won.
SELECT cell_id, split_part(value, ':', 2) AS part, slice,
    sum(deals) FILTER (WHERE value LIKE 'led:%') AS deals,
    sum(total) FILTER (WHERE value LIKE 'led_and_won:%') AS top,
    sum(total) FILTER (WHERE value LIKE 'led:%') AS base
FROM slice WHERE value LIKE 'led:%' OR value LIKE 'led_and_won:%' GROUP BY ALL
