-- 1 where the sole lead by evaluation never changed hands.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'never_changed'
