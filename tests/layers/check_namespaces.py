#!/usr/bin/env python3
"""Fails where a namespace does not follow the folders: each part of it behind `plumbline` is a folder on the way to the
file, in this order, or a namespace that namespaces.txt has for the file's folder. Folders may be left out.

usage: check_namespaces.py ROOT [TABLE]
"""
import pathlib
import re
import sys

OPENED = re.compile(r"^namespace plumbline((?:::\w+)*) \{$")
ROOMS = ("base", "bench", "cli", "hwmodels", "replay", "sim", "tracer", "viewer")
SHORT = {"hw": "hwmodels", "calibration": "calibrate", "compiling": "compile"}  # namespaces that are called otherwise


def read_table(path):
    """(folder, namespace) of those that are no folder."""
    lines = (line.split("#")[0].split() for line in path.read_text().splitlines())
    return {(words[0].rstrip("/"), words[1]) for words in lines if words}


def follows(parts, folder, inner):
    """Whether a namespace of these parts may be opened in a file of this folder."""
    folders = folder.split("/")
    parts = [SHORT.get(part, part) for part in parts]
    if parts and parts[-1] not in folders and (folder, parts[-1]) in inner:
        parts.pop()
    if not parts:
        return folders[0] == "base"
    for part in parts:
        if part not in folders:
            return False
        folders = folders[folders.index(part) + 1:]
    return True


def faults_of(root, inner):
    """A line for each namespace that does not follow; and how many were looked at."""
    faults, seen = [], 0
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.[ch]pp")):
            folder = file.parent.relative_to(root).as_posix()
            opened = [(number, match[1].split("::")[1:]) for number, line in enumerate(file.read_text().splitlines(), 1)
                      if (match := OPENED.match(line))]
            named = [(number, parts) for number, parts in opened if parts] or opened  # `plumbline` beside another: declares what is of base
            seen += len(named)
            faults += [f"{file.relative_to(root)}:{number}: namespace plumbline{''.join('::' + part for part in parts)} does "
                       f"not follow the folders; rename it, or add its last part to tests/layers/namespaces.txt"
                       for number, parts in named if not follows(parts, folder, inner)]
    return faults, seen


def main():
    root = pathlib.Path(sys.argv[1])
    table = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).with_name("namespaces.txt")
    faults, seen = faults_of(root, read_table(table))
    print("\n".join(faults) or f"{seen} namespaces follow the folders")
    sys.exit(1 if faults or not seen else 0)


main()
