"""What pages of HTML are made of: documents, tables, lists. The report and the dashboard's shared files use
them.
"""

from collections.abc import Sequence
from html import escape

# The pictures on a page have the same inks as its texts, and paper is always white.
STYLE = """
:root { --ink: #2b2b2b; --ground: #fff; --grey: #5a5a5a; --line: #e3e1da; --panel: #f4f1e8; --band: #ececec; }
:root { --accent: #1f6f78; color-scheme: light; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --ground: #0e1117; --grey: #aaa8a2; --line: #3a3d44; --panel: #1c2027; }
  :root { --band: #2c3037; --accent: #58b3bd; color-scheme: dark; }
  .picture svg { background: #fff; border-radius: 6px; }
}
.fill-ink { fill: var(--ink); } .fill-grey { fill: var(--grey); } .fill-band { fill: var(--band); }
.fill-ground { fill: var(--ground); }
.stroke-grey { stroke: var(--grey); } .stroke-grid { stroke: var(--line); }
body { font: 16px/1.5 Georgia, serif; color: var(--ink); background: var(--ground); }
body { max-width: 900px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 32px; line-height: 1.2; margin: 8px 0 14px; }
h2 { margin-top: 44px; border-bottom: 2px solid var(--accent); padding-bottom: 4px; font-size: 23px; }
h3 { margin: 22px 0 6px; font-size: 17px; }
p { margin: 8px 0; }
.small, caption, details { font-size: 14px; color: var(--grey); }
.own { border-left: 4px solid var(--accent); padding: 2px 0 2px 16px; margin: 14px 0; }
.note, .warning { background: var(--panel); padding: 8px 14px; border-radius: 6px; }
.scroll { overflow-x: auto; }
.board { float: right; width: 40%; margin: 0 0 8px 22px; } .board figure { margin: 0; }
#summary .answer { background: var(--panel); padding: 4px 22px 10px; border-radius: 8px; clear: both; }
#summary li { margin: 5px 0; }
table { border-collapse: collapse; margin: 10px 0 18px; font-size: 14px; width: 100%; }
caption { text-align: left; padding: 4px 0; }
th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { text-align: left; } td small { color: var(--grey); }
.words td, .words th { text-align: left; }
pre { white-space: pre-wrap; font-size: 13px; }
.picture svg, .chart svg { width: 100%; height: auto; }
.chart svg { min-width: 780px; }
figure { margin: 12px 0; }
figcaption { font-size: 14px; color: var(--grey); }
@media screen and (max-width: 640px) {
  .scroll table { width: max-content; }
  th, td { max-width: 20ch; }
}
@page { size: A4; margin: 15mm 14mm; }
@media print {
  body { font-size: 10pt; line-height: 1.4; max-width: none; padding: 0; }
  h1 { font-size: 21pt; } h2 { font-size: 14pt; margin-top: 7mm; } h3 { font-size: 11.5pt; margin-top: 4mm; }
  table { font-size: 8.5pt; } .small, caption, figcaption { font-size: 8.5pt; }
  details { display: none; }
  h2, h3, caption { break-after: avoid; }
  figure, tr, li, .answer { break-inside: avoid; }
  #summary { break-after: page; } #summary .board svg { max-height: 62mm; } #summary li { margin: 3px 0; }
  #summary .answer h2 { margin-top: 2mm; } #summary td, #summary th { padding: 2px 8px; }
  .chart svg { max-height: 118mm; min-width: 0; }
  .picture svg { max-height: 110mm; }
  .scroll { overflow: visible; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def make_document(title: str, body: Sequence[str]) -> str:
    """Pieces of HTML as one file that needs nothing else."""
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{viewport}<title>{escape(title)}</title><style>{STYLE}</style>'
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en"><head>{head}</head>',
            "<body><main>",
            *body,
            "</main></body></html>",
            "",
        ]
    )


def render_table(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "numbers"
) -> str:
    """A table as HTML. Cells are HTML already, the caption and the heads are text; `words` align to the
    left.
    """
    if not rows:
        start = f"{escape(caption)}: nothing" if caption else "Nothing"
        return f'<p class="small">{start} is stored about this.</p>'
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    content = f"<caption>{escape(caption)}</caption><tr>{head}</tr>{body}"
    return _let_scroll(f'<table class="{kind}">{content}</table>')


def _let_scroll(content: str) -> str:
    """What is wider than the screen scrolls, by the keyboard too."""
    return f'<div class="scroll" tabindex="0">{content}</div>'


def render_note(text: str) -> str:
    """What the author says in words of their own; an empty line begins a paragraph."""
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    lines = ["<br>".join(map(escape, paragraph.splitlines())) for paragraph in paragraphs]
    content = "".join(f"<p>{line}</p>" for line in lines)
    return f'<div class="own">{content}</div>' if content else ""


def render_list(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def render_picture(svg: str, caption: str, kind: str) -> str:
    """A drawing or a chart with a line below it; `kind` says how large it is shown."""
    shown = _let_scroll(svg) if kind == "chart" else svg
    return f'<figure class="{kind}">{shown}<figcaption>{escape(caption)}</figcaption></figure>'
