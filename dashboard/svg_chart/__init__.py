"""Charts of the pages as SVG text, for shared files."""
