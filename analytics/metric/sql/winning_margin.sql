-- Best score less second best; 0 for a tie.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'winning_margin'
