-- The win share of each seat; how far they are from equal is worked out from these.
SELECT cell_id, split_part(value, ':', 2) AS part, slice, deals, total, squares
FROM slice WHERE value LIKE 'win_share:%'
