#!/usr/bin/env python3
"""No page for users or for readers of models is longer than somebody reads at once: 1,500 words.

usage: page_length.py ROOT
Looked at are README.md and the pages of docs/, docs/how-to, docs/models and docs/reference. Words are what stands between
spaces, as `wc -w` counts. docs/internals, docs/decisions and docs/notebook are for developers.
"""
import sys
from pathlib import Path

MOST_WORDS = 1500
FOLDERS = ("docs", "docs/how-to", "docs/models", "docs/reference")


def faults(root):
    for page in [root / "README.md", *(page for folder in FOLDERS for page in sorted((root / folder).glob("*.md")))]:
        words = len(page.read_text().split())
        if words > MOST_WORDS:
            yield f"{page.relative_to(root)} has {words} words, more than {MOST_WORDS}: divide it, or move what is measured to docs/notebook"


def main():
    found = list(faults(Path(sys.argv[1])))
    print("\n".join(found) or f"no page is over {MOST_WORDS} words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
