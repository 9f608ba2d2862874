"""One word for each thing (docs/reference/glossary.md): words of earlier versions are gone from code, help
and docs.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("boardgames", "analytics", "dashboard", "docs", "README.md", "CONTRIBUTING.md", "Makefile")
SPELL_OLD_WORDS = {"boardgames/store/opening/migrations.py", "boardgames/cli/old_spellings.py"}
OLD_WORDS = {
    r"blocks?": "deal",
    r"laps?": "round",
    r"arrangements?": "seating",
    r"(?<![Ww]inning )margins?(?! ?[:=])(?!-)": "threshold, or winning margin",
    r"primaries": "main metrics",
    r"touched": "affected",
    r"outlooks?": "evaluation",
    r"imagin(?:e|es|ed|ing)": "resample",
    r"duels?": "head-to-head",
    r"twins?": "side by side",
    r"experiments?": "run",
    r"house rules?": "variant",
    r"rungs?": "agent",
    r"chairs?": "seat",
    r"desks?": "scratch",
    r"unknowns": "alternatives",
    r"surely": "always-valid",
}


def list_texts() -> list[str]:
    files = subprocess.run(["git", "ls-files", *PLACES], cwd=ROOT, text=True, capture_output=True, check=True)
    kinds = (".py", ".sql", ".md", ".toml", ".txt", "Makefile")
    return [name for name in files.stdout.split() if name.endswith(kinds) and name not in SPELL_OLD_WORDS]


def test_old_words_are_gone():
    offenders = []
    for name in list_texts():
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            for old, new in OLD_WORDS.items():
                if re.search(rf"(?<![A-Za-z_]){old}(?![A-Za-z])", line):
                    offenders.append(f"{name}:{number}: write {new}: {line.strip()[:80]}")
    assert not offenders, "\n".join(offenders)
