"""The script that the server runs, alone in a folder: Streamlit would take `pages` beside it for its own."""
