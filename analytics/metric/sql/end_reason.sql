-- One part per reason: 1 where the match ended by it. A match cut off by the cap on decisions is a part of its own.
SELECT cell_id, if(value = 'cut_off', 'cut off', substr(value, 5)) AS part, slice, deals, total, squares
FROM slice WHERE value = 'cut_off' OR value LIKE 'end:%'
