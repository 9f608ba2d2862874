-- 1 where the second is behind by no more than the winner scored per round.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'close'
