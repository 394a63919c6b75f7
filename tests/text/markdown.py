"""What a reader of the documentation can link to: the anchors of a page of Markdown, as GitHub makes them."""

import re

ANCHOR = re.compile(r'<a id="([^"]*)"></a>')
HEADING = re.compile(r"#{1,6} +(.*?)\s*$")
FENCE = re.compile(r"\s*(```|~~~)")


def prose(text):
    """Numbered lines outside of fenced code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def plain(heading):
    """A heading without links, code marks and emphasis."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", ANCHOR.sub("", heading))
    return re.sub(r"[`*]", "", heading)


def slug(heading):
    return re.sub(r"[^\w\- ]", "", plain(heading).lower()).replace(" ", "-")


def anchors(text):
    """Anchors of a page, each with its title: a heading, or the words of an explicit <a id="..."></a>."""
    found = {}
    for _, line in prose(text):
        heading = HEADING.match(line)
        if heading:
            name, copies = slug(heading.group(1)), 0
            while (name if not copies else f"{name}-{copies}") in found:
                copies += 1
            found[name if not copies else f"{name}-{copies}"] = plain(heading.group(1))
        for explicit in ANCHOR.findall(line):
            found[explicit] = explicit.replace("-", " ")
    return found


def title(text):
    """The first heading of a page, empty where there is none."""
    return next((plain(match.group(1)) for _, line in prose(text) if (match := HEADING.match(line))), "")
