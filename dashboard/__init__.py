"""The Streamlit app: one question per page."""
