#!/usr/bin/env python3
"""Makes docs/models/tests.md, which names the tests of each rule, from docs/models/tests.txt.

usage: rule_index.py [--root ROOT]             writes the page
       rule_index.py [--root ROOT] --check     status 1 when the page says something else
A line of tests.txt is

    page.md#anchor | Suite.Test, Suite.*, ctest.Name, tests/path

The page is named as a link from docs/models names it: page.md, or ../reference/page.md. The anchor is one of its headings or an
explicit <a id="..."></a>. Each test must exist below tests/: a test of GoogleTest (without the prefix and number of its parameters), a method of unittest, a name of CTest or a path.
Lines that begin with '#', and empty ones, are left out. Faults are told together, with their lines; there is no page then.
"""
import argparse
import fnmatch
import os
import re
import sys
from pathlib import Path

import markdown

INTRODUCTION = """# Rules and their tests

Made by `tests/text/rule_index.py` from `tests.txt`; the test `text.rule_index` fails when it is old. A `*` stands for all tests whose
name begins so. One test runs by `./dev test -R Suite.Test`.
"""
GOOGLE_TEST = re.compile(r"\b(?:TEST(?:_F|_P)?|TYPED_TEST(?:_P)?|RC_GTEST(?:_FIXTURE)?_PROP)\(\s*(\w+)\s*,\s*(\w+)")
CTEST = re.compile(r"\badd_test\(\s*NAME\s+([\w.]+)")
PYTHON = re.compile(r"^class (\w+)\(|^ +def (test\w*)\(", re.MULTILINE)


def tests_below(folder):
    """Names of all tests that the sources below a folder define."""
    names = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".cpp", ".hpp"):
            names.update(".".join(match) for match in GOOGLE_TEST.findall(path.read_text()))
        elif path.suffix in (".txt", ".cmake"):
            names.update(CTEST.findall(path.read_text()))
        elif path.suffix == ".py":
            suite = ""
            for of_class, method in PYTHON.findall(path.read_text()):
                suite = of_class or suite
                if method:
                    names.add(f"{suite}.{method}")
    return names


def read(path):
    """Lines as (number, page, anchor, tests), and faults of their form."""
    rules, faults = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"\s*([^#|\s]+)#([^|\s]+)\s*\|(.*)", line)
        tests = [test.strip() for test in match.group(3).split(",")] if match else []
        if not match or not all(tests):
            faults.append((number, "expected 'page.md#anchor | Suite.Test, Suite.Test'"))
        else:
            rules.append((number, match.group(1), match.group(2), tests))
    return rules, faults


def is_known(test, names, root):
    if test.startswith("tests/"):
        return (root / test).exists()
    return bool(fnmatch.filter(names, test)) if "*" in test else test in names


def faults_of_rules(rules, pages, names, root):
    seen = {}
    for number, page, anchor, tests in rules:
        if page not in pages:
            yield number, f"there is no page docs/models/{page}"
        elif anchor not in pages[page][1]:
            yield number, f'{page} has no anchor {anchor}: name a heading, or put <a id="{anchor}"></a> at the rule'
        if (page, anchor) in seen:
            yield number, f"{page}#{anchor} is also in line {seen[page, anchor]}: join them"
        seen[page, anchor] = number
        for test in tests:
            if not is_known(test, names, root):
                yield number, f"no test {test} below tests/: correct its name, or leave it out"


def page_of(rules, pages):
    lines = [INTRODUCTION]
    for page in dict.fromkeys(page for _, page, _, _ in rules):
        title, anchors = pages[page]
        lines += [f"## [{title}]({page})\n", "| rule | tests |", "|---|---|"]
        for _, _, anchor, tests in (rule for rule in rules if rule[1] == page):
            lines.append(f"| [{anchors[anchor]}]({page}#{anchor}) | {', '.join(f'`{test}`' for test in tests)} |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.root / "docs/models"
    rules, faults = read(folder / "tests.txt")
    pages = {Path(os.path.relpath(path, folder)).as_posix(): (markdown.title(text), markdown.anchors(text))
             for path in folder.parent.rglob("*.md") for text in [path.read_text()]}
    faults += faults_of_rules(rules, pages, tests_below(arguments.root / "tests"), arguments.root)
    for number, fault in sorted(faults):
        print(f"docs/models/tests.txt:{number}: {fault}")
    if faults:
        return 1
    text, path = page_of(rules, pages), folder / "tests.md"
    if not arguments.check:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        print("docs/models/tests.md is old: run tests/text/rule_index.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
