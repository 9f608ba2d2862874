-- Means of the squared score and of the score: the standard deviation follows from both.
SELECT cell_id, '' AS part, slice,
    sum(deals) FILTER (WHERE value = 'score') AS deals,
    sum(total) FILTER (WHERE value = 'score_squared') AS top,
    sum(total) FILTER (WHERE value = 'score') AS base
FROM slice WHERE value IN ('score_squared', 'score') GROUP BY cell_id, slice
