-- 1 where the sole lead by outlook never changed hands.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'never_changed'
