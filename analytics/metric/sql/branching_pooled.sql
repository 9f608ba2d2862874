-- Legal actions at all decisions of all matches, for each decision: long matches weigh more.
SELECT cell_id, '' AS part, slice,
    sum(deals) FILTER (WHERE value = 'decisions') AS deals,
    sum(total) FILTER (WHERE value = 'branching') AS top,
    sum(total) FILTER (WHERE value = 'decisions') AS base
FROM slice WHERE value IN ('branching', 'decisions') GROUP BY cell_id, slice
