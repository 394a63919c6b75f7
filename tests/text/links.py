#!/usr/bin/env python3
"""Every relative link of the documentation leads to a file, and its anchor is there.

usage: links.py ROOT
Looked at are README.md, CONTRIBUTING.md, CHANGELOG.md and all pages below docs/.
"""
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import markdown

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`]*`")
ELSEWHERE = re.compile(r"[a-z]+:")


def faults(root):
    for page in [*root.glob("*.md"), *sorted((root / "docs").rglob("*.md"))]:
        for number, line in markdown.prose(page.read_text()):
            for link in LINK.findall(CODE.sub("", line)):
                if ELSEWHERE.match(link):
                    continue
                name, _, anchor = unquote(link).partition("#")
                target = page.parent / name if name else page
                where = f"{page.relative_to(root)}:{number}"
                if not target.exists():
                    yield f"{where}: there is no {name}: correct the link"
                elif anchor and target.suffix == ".md" and anchor not in markdown.anchors(target.read_text()):
                    yield f"{where}: {name or page.name} has no anchor {anchor}: correct the link"


def main():
    found = list(faults(Path(sys.argv[1])))
    print("\n".join(found) or "all links lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
