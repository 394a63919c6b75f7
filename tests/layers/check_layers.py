#!/usr/bin/env python3
"""Fails on an #include that the table of rooms (rooms.txt) does not allow, on a circle between folders, and on a circle
between files that the table of recursive ones (recursive.txt) does not have.

usage: check_layers.py ROOT [ROOMS [RECURSIVE]]
"""
import pathlib
import re
import sys

import circles

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
SOURCES = {".c", ".h", ".cpp", ".hpp"}


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            table[words[0]] = words[1:]
    return table


def room_of(table, file):
    return max((room for room in table if file.startswith(room)), key=len, default=None)


def is_allowed(table, room, target):
    """Longest prefix decides: allowing replay/ does not allow replay/mpi/ unless that is named."""
    if table[room] == ["*"]:
        return True
    target_room = room_of(table, target)
    if target_room is None or target_room == room:
        return True
    return any(word == target or word == target_room for word in table[room])


def includes_of(root):
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root).as_posix()
        if file.suffix not in SOURCES or name.startswith(("build", ".git/", "out/")):
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            beside = file.parent / target
            if not (root / target).exists() and beside.exists():
                target = beside.resolve().relative_to(root.resolve()).as_posix()
            yield name, number, target


def folder_of(file):
    return pathlib.PurePosixPath(file).parent.as_posix()


def table_named(position, name):
    return pathlib.Path(sys.argv[position]) if len(sys.argv) > position else pathlib.Path(__file__).with_name(name)


def main():
    root = pathlib.Path(sys.argv[1])
    table, recursive = read_table(table_named(2, "rooms.txt")), table_named(3, "recursive.txt")
    faults, edges, file_edges = 0, {}, {}
    for name, number, target in includes_of(root):
        room = room_of(table, name)
        if room is None:
            print(f"{name}: belongs to no room; add it to tests/layers/rooms.txt")
            faults += 1
            continue
        if not is_allowed(table, room, target):
            print(f"{name}:{number}: {room.rstrip('/')} may not include {target}")
            faults += 1
        if not name.startswith("tests/") and (root / target).exists():
            for part, into in ((folder_of, edges), (circles.stem, file_edges)):
                if part(name) != part(target):
                    into.setdefault(part(name), set()).add(part(target))
    for folders in circles.sets_of(edges):
        print("circle between folders: " + " -> ".join(circles.shortest_through(edges, folders)))
        faults += 1
    for fault in circles.faults_of_files(file_edges, circles.read_allowed(recursive), recursive):
        print(fault)
        faults += 1
    if not file_edges:
        print("no includes found: wrong root?")
        faults += 1
    sys.exit(1 if faults else 0)


main()
