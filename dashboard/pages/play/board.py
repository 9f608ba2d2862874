"""A drawing whose pieces can be clicked: those that carry `data-action`, the numbers of the actions that
concern them.

The drawing is put into the page itself, because the guard forbids frames; everything in it that could run or
load something is taken out first. A piece with one action does it; one with several shows them in a menu.
Only pieces take clicks, whatever lies on them. A shape with `pointer-events="all"` makes its piece larger to
click, and takes no click from what can be seen of another (the law "a piece of a drawing can be clicked" has
it the same way).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.page import Control

HTML = '<div class="table"></div><div class="menu" role="menu" hidden></div>'
CSS = """
:host, .table { position: relative; }
.table svg { width: 100%; height: auto; max-height: 92vh; vertical-align: bottom; }
.table svg * { pointer-events: none; }
.table svg .piece, .piece :not([pointer-events]) { pointer-events: auto; }
.piece [pointer-events=all] { pointer-events: all; }
.piece { cursor: pointer; filter: drop-shadow(0 0 2px var(--st-primary-color)); }
.piece:hover, .piece:focus-visible { filter: drop-shadow(0 0 6px var(--st-primary-color)); outline: none; }
.menu { position: absolute; z-index: 5; display: flex; flex-direction: column; max-width: 20rem;
  padding: 0.25rem; border: 1px solid var(--st-border-color); border-radius: 0.5rem;
  background: var(--st-background-color); box-shadow: 0 2px 10px rgb(0 0 0 / 30%); }
.menu[hidden] { display: none; }
.menu button { padding: 0.4rem 0.6rem; border: 0; border-radius: 0.35rem; background: none; cursor: pointer;
  text-align: left; font: inherit; color: var(--st-text-color); font-family: var(--st-font); }
.menu button:hover, .menu button:focus-visible { background: var(--st-secondary-background-color); }
"""
JS = """
const DANGEROUS = "script, foreignObject, iframe, object, embed, image, use, a, animate, set";

function readDrawing(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  svg.querySelectorAll(DANGEROUS).forEach((element) => element.remove());
  for (const element of [svg, ...svg.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || name.endsWith("href")) element.removeAttribute(name);
    }
    // screen readers ignore the name of a shape that has no role
    if (element.matches("[aria-label]:not([role])")) element.setAttribute("role", "img");
  }
  return document.importNode(svg, true);
}

export default function ({ data, setTriggerValue, parentElement }) {
  const table = parentElement.querySelector(".table");
  const menu = parentElement.querySelector(".menu");
  const svg = readDrawing(data.svg);
  const choose = (action) => {
    menu.hidden = true;
    setTriggerValue("chosen", { step: data.step, action: Number(action) });
  };
  const choices = new Map();
  const openMenu = (event, target, actions) => {
    menu.replaceChildren(...actions.map((action) => {
      const button = document.createElement("button");
      button.textContent = data.words[action];
      button.setAttribute("role", "menuitem");
      button.onclick = () => choose(action);
      return button;
    }));
    menu.hidden = false;
    const box = table.getBoundingClientRect();
    const piece = target.getBoundingClientRect();
    const x = (event.clientX || piece.x + piece.width / 2) - box.x;
    const y = (event.clientY || piece.y + piece.height / 2) - box.y;
    menu.style.left = `${Math.max(0, Math.min(x, box.width - menu.offsetWidth))}px`;
    menu.style.top = `${Math.max(0, Math.min(y, box.height - menu.offsetHeight))}px`;
    menu.firstChild.focus();
  };
  const takeUp = (event, piece) => {
    const actions = choices.get(piece);
    if (actions.length === 1) choose(actions[0]);
    else openMenu(event, piece, actions);
  };
  const findVisiblePiece = ({ clientX, clientY }) => table.getRootNode().elementsFromPoint(clientX, clientY)
    .filter((shape) => !shape.matches("[pointer-events=all]"))
    .map((shape) => shape.closest(".piece"))
    .find((piece) => choices.has(piece));
  svg.querySelectorAll("[data-action]").forEach((piece) => {
    const actions = piece.getAttribute("data-action").split(" ").filter((action) => action in data.words);
    if (!actions.length) return;
    piece.classList.add("piece");
    piece.setAttribute("role", "button");
    piece.setAttribute("tabindex", "0");
    piece.setAttribute("aria-label", actions.map((action) => data.words[action]).join("; "));
    choices.set(piece, actions);
    piece.onclick = (event) => {
      event.stopPropagation();
      takeUp(event, findVisiblePiece(event) ?? piece);
    };
    piece.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        takeUp(event, piece);
      }
    };
  });
  menu.hidden = true;
  menu.onkeydown = (event) => { if (event.key === "Escape") menu.hidden = true; };
  table.onclick = () => { menu.hidden = true; };
  table.replaceChildren(svg);
}
"""
show_board = st.components.v2.component("boardgames_board", html=HTML, css=CSS, js=JS)


@dataclass(frozen=True, kw_only=True)
class Board(Control[None]):
    """A drawn position in which a person chooses by clicking."""

    svg: str
    words: Mapping[int, str]  # of the actions that can be chosen
    step: int  # actions before this one: a late click on an earlier position is no choice
    on_choose: Callable[[int, int], None]  # gets the step and the action

    def ask(self) -> None:
        data = {"svg": self.svg, "step": self.step, "words": {str(a): text for a, text in self.words.items()}}
        show_board(data=data, key="board", on_chosen_change=self._pass_choice)

    def _pass_choice(self) -> None:
        chosen: Any = st.session_state["board"]["chosen"]
        if chosen:
            self.on_choose(int(chosen["step"]), int(chosen["action"]))
