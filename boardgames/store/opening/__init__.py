"""Opening a result file: who may do what with it, and waiting for who has it."""
