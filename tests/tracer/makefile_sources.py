#!/usr/bin/env python3
"""Compares the sources of tracer/preload/Makefile with those of its CMakeLists.txt and with the files that are there.

usage: makefile_sources.py PRELOAD_DIRECTORY
Sites build with the one, we with the other. Exit status 1, and a line for each, when a file is in one only, or in none.
"""
import pathlib
import re
import sys


def cmake_list(text, name):
    found = re.search(rf"^set\({name}\s+(.*?)\)", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"[\w/]+\.c\b", found.group(1))) if found else sys.exit(f"CMakeLists.txt: no {name}")


def makefile_list(text, name):
    found = re.search(rf"^{name} := ((?:[^\n]*\\\n)*[^\n]*)", text, re.MULTILINE)
    return set(re.findall(r"(?<![\w/)])[\w/]+\.c\b", found.group(1))) if found else sys.exit(f"Makefile: no {name}")


def makefile_folders(text):
    found = re.search(r"^FOLDERS := (.*)", text, re.MULTILINE)
    folders = found.group(1).split() if found else sys.exit("Makefile: no FOLDERS")
    return {folder.replace("$(FLAVOUR)", flavour) for folder in folders for flavour in ("openmpi", "mpich")}


def main():
    directory = pathlib.Path(sys.argv[1])
    cmake, makefile = (directory / "CMakeLists.txt").read_text(), (directory / "Makefile").read_text()
    posix = cmake_list(cmake, "posix_side") | {"posix/server.c"}
    made = makefile_list(makefile, "POSIX_SOURCES")
    faults = [f"{name}: in CMakeLists.txt (posix_side), not in the Makefile (POSIX_SOURCES)" for name in posix - made]
    faults += [f"{name}: in the Makefile (POSIX_SOURCES), not in CMakeLists.txt (posix_side)" for name in made - posix]
    listed = posix.union(*(cmake_list(cmake, name) for name in ("mpi_side", "inner_side_openmpi", "inner_side_mpich")))
    # Not what was generated, where somebody has built in the directory itself.
    paths = [path.relative_to(directory) for path in directory.rglob("*.c")]
    there = {path.as_posix() for path in paths if path.parts[0] != "build"}
    # The Makefile takes all files of its folders for the libraries with MPI.
    taken = makefile_folders(makefile)
    faults += [f"{name}: its folder is not in the Makefile (FOLDERS)" for name in there
               if str(pathlib.PurePosixPath(name).parent) not in taken]
    faults += [f"{name}: not in CMakeLists.txt" for name in there - listed]
    faults += [f"{name}: in CMakeLists.txt, but not there" for name in listed - there]
    print("\n".join(sorted(faults)), end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
