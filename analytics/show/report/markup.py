"""What pages of HTML are made of: documents, tables, lists. The report and the dashboard's shared files use
them.
"""

from collections.abc import Sequence
from html import escape

STYLE = """
body { font: 16px/1.5 Georgia, serif; color: #2b2b2b; background: #fff; }
body { max-width: 900px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 32px; line-height: 1.2; margin: 8px 0 14px; }
h2 { margin-top: 44px; border-bottom: 2px solid #1f6f78; padding-bottom: 4px; font-size: 23px; }
h3 { margin: 22px 0 6px; font-size: 17px; }
p { margin: 8px 0; }
.small, caption, details { font-size: 14px; color: #5a5a5a; }
.scroll { overflow-x: auto; }
.board { float: right; width: 40%; margin: 0 0 8px 22px; } .board figure { margin: 0; }
#summary .answer { background: #f4f1e8; padding: 4px 22px 10px; border-radius: 8px; clear: both; }
#summary li { margin: 5px 0; }
table { border-collapse: collapse; margin: 10px 0 18px; font-size: 14px; width: 100%; }
caption { text-align: left; padding: 4px 0; }
th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid #e3e1da; vertical-align: top; }
th:first-child, td:first-child { text-align: left; } td small { color: #777; } .words td { text-align: left; }
.words th { text-align: left; }
pre { white-space: pre-wrap; font-size: 13px; }
.picture svg, .chart svg { width: 100%; height: auto; }
figure { margin: 12px 0; }
figcaption { font-size: 14px; color: #5a5a5a; }
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
  .chart svg { max-height: 118mm; }
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
        ["<!doctype html>", f'<html lang="en"><head>{head}</head>', "<body>", *body, "</body></html>", ""]
    )


def render_table(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "numbers"
) -> str:
    """A table as HTML. Cells are HTML already, the caption and the heads are text; `words` align to the
    left.
    """
    if not rows:
        return f'<p class="small">{escape(caption)}: nothing is stored about this.</p>'
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    content = f"<caption>{escape(caption)}</caption><tr>{head}</tr>{body}"
    return f'<div class="scroll"><table class="{kind}">{content}</table></div>'


def render_list(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def render_picture(svg: str, caption: str, kind: str) -> str:
    """A drawing or a chart with a line below it; `kind` says how large it is shown."""
    return f'<figure class="{kind}">{svg}<figcaption>{escape(caption)}</figcaption></figure>'
