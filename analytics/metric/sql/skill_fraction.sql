-- Kendall's tau between the line-up, typed from strong to weak, and the finish.
SELECT cell_id, '' AS part, slice, deals, total, squares
FROM slice WHERE value = 'order'
