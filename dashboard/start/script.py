"""The script that Streamlit runs for every look at a page."""

from dashboard.app import main

main()
