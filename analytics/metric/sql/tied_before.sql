-- 1 where the best score is shared, before tie-breaks.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'tied'
