-- One part per seat: 1 for the winner, an equal split of a shared first place. Seat 1 starts.
SELECT cell_id, split_part(value, ':', 2) AS part, slice, deals, total, squares
FROM slice WHERE value LIKE 'win_share:%'
