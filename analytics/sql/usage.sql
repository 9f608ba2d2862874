-- One part per counter of the game: times per seat and match.
SELECT cell_id, split_part(value, ':', 2) AS part, slice, blocks, total, squares
FROM slice WHERE value LIKE 'tally:%'
