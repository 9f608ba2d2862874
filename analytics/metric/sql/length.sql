-- Turns of a match, all seats together.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'turns'
