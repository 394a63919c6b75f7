#!/usr/bin/env python3
"""No source has a constant of the name that a header gives another one in the same namespace or one around it.

Quick builds join sources. A constant of an unnamed namespace then hides that of the header, without a warning, from
every source that is joined behind it.
"""

import pathlib
import re
import sys

NAME = re.compile(r"\b(k[A-Z]\w*)(?:\[[^\]]*\])*\s*(?==|\{)")
BEGINS = re.compile(r"(?:inline |static )*(?:constexpr|const) ")
NAMESPACE = re.compile(r"^namespace ([\w:]+)", re.MULTILINE)
ROOMS = ("base", "bench", "cli", "hwmodels", "replay", "sim", "tests", "tracer", "viewer")


def constants(text: str) -> set[str]:
    """Names of the constants that begin at the left edge: those of namespaces."""
    return {name for line in text.splitlines() if BEGINS.match(line) for name in NAME.findall(line)}


def namespace(text: str) -> str:
    found = NAMESPACE.search(text)
    return found[1] if found else ""


def is_within(inner: str, outer: str) -> bool:
    return (inner + "::").startswith(outer + "::")


def hidden(texts: dict[str, str]) -> list[str]:
    """One line for each constant of a source that hides one of a header. `texts`: by path."""
    of_headers: dict[str, list[str]] = {}
    for path, text in texts.items():
        if path.endswith(".hpp"):
            for name in constants(text):
                of_headers.setdefault(name, []).append(path)
    return [
        f"{path}: {name} hides the constant of {header} where sources are joined; give it another name"
        for path, text in texts.items()
        if path.endswith(".cpp")
        for name in sorted(constants(text))
        for header in of_headers.get(name, [])
        if is_within(namespace(text), namespace(texts[header]))
    ]


def main(root: pathlib.Path) -> int:
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.[ch]pp"))]
    found = hidden({str(path.relative_to(root)): path.read_text() for path in paths})
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
