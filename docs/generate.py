"""Writes the pages of the rules, `docs/fidelity.md` and `docs/memory.md`, and copies of files.

`python docs/generate.py` writes them; with `--check` it only tells, by its exit status, whether
they are stale.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fidelity_page import fidelity_page
from memory_page import memory_page

from tfgpu.report.rules import rule_page, rule_table
from tfgpu.rulebook.book import Rulebook, load_rulebook
from tfgpu.verify.evidence_check import SCHEMA

ROOT = Path(__file__).resolve().parent.parent
INDEX = """# Rules

Each rule is one file below `rules/`: what becomes of what, how equal the two are, why, and examples
that are tests. `tfgpu rule NAME` prints its page.

"""

NAMES = """# Names that TensorFlow 2 does not have

What to do about each, by hand: a program with one of them does not start on TensorFlow 2.21. The
list is `rules/names/answers.txt`; `tfgpu migrate --report MIGRATION.md` has those of your program.

"""


def pages() -> dict[Path, str]:
    """Return every generated file with its text."""
    book = load_rulebook(ROOT / "rules")
    found = {ROOT / "docs" / "rules" / f"{rule.code}.md": rule_page(rule) for rule in book.rules}
    found[ROOT / "docs" / "fidelity.md"] = fidelity_page()
    found[ROOT / "docs" / "memory.md"] = memory_page()
    found[ROOT / "docs" / SCHEMA.name] = SCHEMA.read_text(encoding="utf-8")
    found[ROOT / "docs" / "rules" / "index.md"] = INDEX + rule_table(book, "")
    found[ROOT / "docs" / "names.md"] = NAMES + answer_table(book)
    return found


def answer_table(book: Rulebook) -> str:
    """Return a table of the names that TensorFlow 2 does not have, each with what to do."""
    rows = ["| name | what to do | source |", "|---|---|---|"]
    for name, (answer, source) in book.answers.items():
        rows.append(f"| `{name}` | {answer} | {source} |")
    return "\n".join(rows) + "\n"


def main() -> int:
    """Write the stale pages, or with `--check` name them; return 1 where some were found stale."""
    check = sys.argv[1:] == ["--check"]
    wanted = pages()
    there = set((ROOT / "docs" / "rules").glob("*.md"))
    stale = [path for path in there if path not in wanted]
    stale += [
        path
        for path, text in wanted.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        print(f"stale: {path.relative_to(ROOT)}")
        if check:
            continue
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
