-- Turns of a match, all seats together.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'turns'
