"""What the pages' style adds to Streamlit's: rules for the whole window, phones included."""

PHONE = 640  # pixels: what is narrower is laid out in one column, by Streamlit too

STYLE = f"""<style>
/* Streamlit fades what may be out of date while a page runs again */
[data-stale=true] {{ opacity: 1 !important; transition: none !important; }}
/* its small print, its coloured code and what is chosen are too faint to read for many people */
[data-testid=stCaptionContainer] {{ color: inherit; opacity: 0.8; }}
[data-testid=stCode] .token {{ color: inherit !important; }}
[data-testid=stSliderThumbValue] {{ color: inherit !important; }}
[data-testid=stExpander] summary {{ color: inherit; opacity: 1; }}
[data-testid=stButtonGroup] :is([data-selected=true], [data-selected=true] *) {{ color: inherit !important; }}
/* its small buttons are hard to hit */
[data-testid=stMultiSelect] :is(button, input) {{ min-width: 24px; min-height: 24px; }}
/* its pages begin and end with much empty room */
[data-testid=stMainBlockContainer] {{ padding-top: 3rem; padding-bottom: 3rem; }}
/* its links to pages end where their card does */
[data-testid=stMain] [data-testid=stPageLink] :is(a, a *) {{ white-space: normal; overflow: visible; }}
/* what is selected, in the sidebar */
.st-key-selected p {{ overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }}
@media (max-width: {PHONE}px) {{
    .modebar-container {{ display: none; }}
    [data-testid=stMainBlockContainer] {{ padding-inline: 1rem; }}
    [data-testid=stTable] td > div {{ max-width: none; }}
}}
</style>"""

# A table that is wider than the window scrolls; the keyboard must reach it. Streamlit builds it later.
REACHABLE_TABLES = """<script>
(() => {
  if (window.reachesTables) return;
  window.reachesTables = true;
  const reach = () => document.querySelectorAll("[data-testid=stTable] > div").forEach((table, index) => {
    if (table.scrollWidth > table.clientWidth) {
      table.tabIndex = 0;
      table.setAttribute("role", "region");
      table.setAttribute("aria-label", `Table ${index + 1}, which scrolls sideways`);
    }
  });
  new MutationObserver(reach).observe(document.body, {childList: true, subtree: true});
  window.addEventListener("resize", reach);
})();
</script>"""
