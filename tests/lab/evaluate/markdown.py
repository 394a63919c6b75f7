"""Tables of Markdown."""

from collections.abc import Sequence


def table(head: str, rows: Sequence[Sequence[object]]) -> str:
    """`head` as it is written, with a bar at both ends; cells in one line each."""
    lines = [head, "|---" * (head.count("|") - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(" ".join(str(each).split()) for each in row) + " |" for row in rows])


def cell(text: str) -> str:
    """The first line, without what would end a cell."""
    return text.partition("\n")[0].replace("|", "/")
