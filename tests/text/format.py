#!/usr/bin/env python3
"""Every source file of C and C++ is as `./dev format` leaves it.

usage: format.py ROOT
Status 77 where clang-format is not installed, or another one than 14, which formats differently; and outside of a clone.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "14"


def sources(root):
    """Of the clone, in the order of git; nothing where there is none."""
    if shutil.which("git") is None:
        return []
    listed = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.cpp", "*.hpp"], cwd=root, capture_output=True, text=True, check=False)
    return [name for name in listed.stdout.splitlines() if (root / name).exists()]


def faults(root, files):
    """Those that clang-format would change."""
    checked = subprocess.run(["clang-format", "--dry-run", *files], cwd=root, capture_output=True, text=True, check=True)
    named = re.findall(r"^(\S+?):\d+:\d+: ", checked.stderr, re.MULTILINE)
    return list(dict.fromkeys(named))


def main():
    if shutil.which("clang-format") is None:
        print("clang-format is not installed")
        return 77
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    if f"version {VERSION}." not in version:
        print(f"not {VERSION}: {version.strip()}")
        return 77
    root = Path(sys.argv[1])
    files = sources(root)
    if not files:
        print("no clone of git")
        return 77
    found = faults(root, files)
    print("\n".join(f"{name}: ./dev format changes it" for name in found) or "every file is as ./dev format leaves it")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
