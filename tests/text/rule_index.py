#!/usr/bin/env python3
"""Makes pages that name the tests of each rule from docs/models/tests.txt: docs/models/tests.md leads to one for each group.

usage: rule_index.py [--root ROOT]             writes the pages, and removes those of groups that are no more
       rule_index.py [--root ROOT] --check     status 1 when the pages say something else
A line of tests.txt is the beginning of a group, whose page is tests-NAME.md, or a rule of the group before it:

    == NAME Title of the page
    page.md#anchor | Suite.Test, Suite.*, ctest.Name, tests/path

The page is named as a link from docs/models names it: page.md, or ../reference/page.md. The anchor is one of its headings or an
explicit <a id="..."></a>. Each test must exist below tests/: a test of GoogleTest (without the prefix and number of its parameters), a method of unittest, a name of CTest or a path.
Lines that begin with '#', and empty ones, are left out. Faults are told together, with
their lines; nothing is written then. A page over 1,500 words is a fault of its group: divide it.
"""
import argparse
import fnmatch
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import markdown

MOST_WORDS = 1500
INTRODUCTION = """# {title}

Made by `tests/text/rule_index.py` from `tests.txt`; the test `text.rule_index` fails when it is old. A `*` stands for all tests whose
name begins so. One test runs by `./dev test -R Suite.Test`.{more}
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


class Rule(NamedTuple):
    line: int
    group: str  # NAME
    page: str
    anchor: str
    tests: list


def read(path):
    """Groups as {NAME: (line, title)}, rules, and faults of their form."""
    groups, rules, faults, group = {}, [], [], ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        begin = re.fullmatch(r"== ([a-z-]+) (\S.*)", line)
        if begin:
            group = begin.group(1)
            if group in groups:
                faults.append((number, f"the group {group} begins in line {groups[group][0]} already: join them"))
            groups.setdefault(group, (number, begin.group(2)))
            continue
        match = re.fullmatch(r"\s*([^#|\s]+)#([^|\s]+)\s*\|(.*)", line)
        tests = [test.strip() for test in match.group(3).split(",")] if match else []
        if not match or not all(tests):
            faults.append((number, "expected 'page.md#anchor | Suite.Test, Suite.Test' or '== NAME Title'"))
        elif not group:
            faults.append((number, "it stands before the first group: put '== NAME Title' before it"))
        else:
            rules.append(Rule(number, group, match.group(1), match.group(2), tests))
    return groups, rules, faults


def is_known(test, names, root):
    if test.startswith("tests/"):
        return (root / test).exists()
    return bool(fnmatch.filter(names, test)) if "*" in test else test in names


def faults_of_rules(rules, pages, names, root):
    seen = {}
    for number, _, page, anchor, tests in rules:
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


def page_of(title, rules, pages):
    """The page of one group."""
    lines = [INTRODUCTION.format(title=f"Rules and their tests: {title}", more=" [Other groups](tests.md).")]
    for page in dict.fromkeys(rule.page for rule in rules):
        heading, anchors = pages[page]
        lines += [f"## [{heading}]({page})\n", "| rule | tests |", "|---|---|"]
        for rule in (rule for rule in rules if rule.page == page):
            tests = ", ".join(f"`{test}`" for test in rule.tests)
            lines.append(f"| [{anchors[rule.anchor]}]({page}#{rule.anchor}) | {tests} |")
        lines.append("")
    return "\n".join(lines)


def index_of(groups, rules, pages):
    """The page that leads to those of the groups."""
    lines = [INTRODUCTION.format(title="Rules and their tests", more=""), "| rules and their tests | of the pages |", "|---|---|"]
    for name, (_, title) in groups.items():
        told = dict.fromkeys(rule.page for rule in rules if rule.group == name)
        lines.append(f"| [{title}](tests-{name}.md) | {'; '.join(f'[{pages[page][0]}]({page})' for page in told)} |")
    return "\n".join(lines) + "\n"


def made_of(groups, rules, pages):
    """{name of the file: its text}"""
    made = {f"tests-{name}.md": page_of(title, [rule for rule in rules if rule.group == name], pages)
            for name, (_, title) in groups.items()}
    return {"tests.md": index_of(groups, rules, pages), **made}


def faults_of_length(groups, made):
    for name, (number, _) in groups.items():
        words = len(made[f"tests-{name}.md"].split())
        if words > MOST_WORDS:
            yield number, f"the page of the group {name} has {words} words, more than {MOST_WORDS}: divide the group"


def kept_in(folder):
    return {path.name: path.read_text() for path in [folder / "tests.md", *folder.glob("tests-*.md")] if path.exists()}


def write(folder, made):
    for name in kept_in(folder).keys() - made.keys():
        (folder / name).unlink()
    for name, text in made.items():
        (folder / name).write_text(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.root / "docs/models"
    groups, rules, faults = read(folder / "tests.txt")
    pages = {Path(os.path.relpath(path, folder)).as_posix(): (markdown.title(text), markdown.anchors(text))
             for path in folder.parent.rglob("*.md") for text in [path.read_text()]}
    faults += faults_of_rules(rules, pages, tests_below(arguments.root / "tests"), arguments.root)
    made = {} if faults else made_of(groups, rules, pages)
    faults += faults_of_length(groups, made) if made else []
    for number, fault in sorted(faults):
        print(f"docs/models/tests.txt:{number}: {fault}")
    if faults:
        return 1
    kept = kept_in(folder)
    old = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    if not arguments.check:
        write(folder, made)
    elif old:
        print(f"docs/models/{{{','.join(old)}}} are old: run tests/text/rule_index.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
