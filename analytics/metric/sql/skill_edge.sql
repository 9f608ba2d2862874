-- One part per agent of a mixed line-up, by its place there: 0 for an equal share of the wins per seat, 1 for all of them.
SELECT cell_id, split_part(value, ':', 2) AS part, slice, deals, total, squares
FROM slice WHERE value LIKE 'edge:%'
