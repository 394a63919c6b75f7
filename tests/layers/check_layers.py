#!/usr/bin/env python3
"""Fails on an #include that the table of rooms (rooms.txt) does not allow, and on a circle between folders.

usage: check_layers.py ROOT [TABLE]
"""
import pathlib
import re
import sys

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


def find_circle(edges):
    """Some circle of folders, or None."""
    state, stack = {}, []

    def visit(folder):
        state[folder] = "open"
        stack.append(folder)
        for other in sorted(edges.get(folder, ())):
            if state.get(other) == "open":
                return stack[stack.index(other):] + [other]
            if other not in state:
                circle = visit(other)
                if circle:
                    return circle
        stack.pop()
        state[folder] = "done"
        return None

    for folder in sorted(edges):
        if folder not in state:
            circle = visit(folder)
            if circle:
                return circle
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    table = read_table(pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).with_name("rooms.txt"))
    faults, edges = 0, {}
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
            source, sink = (pathlib.PurePosixPath(path).parent.as_posix() for path in (name, target))
            if source != sink:
                edges.setdefault(source, set()).add(sink)
    circle = find_circle(edges)
    if circle:
        print("circle between folders: " + " -> ".join(circle))
        faults += 1
    if not edges:
        print("no includes found: wrong root?")
        faults += 1
    sys.exit(1 if faults else 0)


main()
