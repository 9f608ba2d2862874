-- One part per tally of the game: times per seat and match.
SELECT cell_id, substr(value, length('tally:') + 1) AS part, slice, deals, total, squares
FROM slice WHERE value LIKE 'tally:%'
