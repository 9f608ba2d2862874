-- Decisions with a single legal action, of all decisions.
SELECT cell_id, '' AS part, slice,
    sum(deals) FILTER (WHERE value = 'decisions') AS deals,
    sum(total) FILTER (WHERE value = 'forced') AS top,
    sum(total) FILTER (WHERE value = 'decisions') AS base
FROM slice WHERE value IN ('forced', 'decisions') GROUP BY cell_id, slice
