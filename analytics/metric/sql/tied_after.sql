-- 1 where first place is shared after all tie-breaks.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'shared'
