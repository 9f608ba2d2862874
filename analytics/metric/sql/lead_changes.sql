-- Rounds whose sole leader by evaluation is not the sole leader before; a tie changes nothing.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'lead_changes'
