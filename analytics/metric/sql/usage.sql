-- One part per counter of the game: times per seat and match.
SELECT cell_id, substr(value, length('tally:') + 1) AS part, slice, blocks, total, squares
FROM slice WHERE value LIKE 'tally:%'
