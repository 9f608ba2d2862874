-- 1 where the best score is shared, before tie-breaks.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'tied'
