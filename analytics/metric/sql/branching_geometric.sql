-- The geometric mean of the numbers of legal actions in each match, averaged over matches.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'typical_choices'
