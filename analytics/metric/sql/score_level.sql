-- The score, averaged over the seats of a match.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'score'
