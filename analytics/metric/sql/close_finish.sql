-- 1 where the second is behind by no more than the winner scored per lap.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'close'
