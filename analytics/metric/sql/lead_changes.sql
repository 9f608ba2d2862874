-- Laps whose sole leader by outlook is not the sole leader before; a tie changes nothing.
SELECT cell_id, '' AS part, slice, blocks, total, squares
FROM slice WHERE value = 'lead_changes'
