-- Decisions of the others for each turn of a seat, averaged over the seats of a match.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'downtime'
