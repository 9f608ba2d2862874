"""Charts as SVG text: small files that print, and that any browser, document or slide can show."""
