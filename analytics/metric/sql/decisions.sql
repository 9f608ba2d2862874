-- Decisions of a match for each player, forced ones included.
SELECT cell_id, '' AS part, slice, deals, total / players AS total, squares / players ** 2 AS squares
FROM slice JOIN cell ON cell.id = cell_id WHERE value = 'decisions'
