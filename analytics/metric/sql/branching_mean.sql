-- The mean number of legal actions in each match, averaged over matches: each match weighs the same.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'choices'
