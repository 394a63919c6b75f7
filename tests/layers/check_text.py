"""No text of the project has what a merge that was not finished leaves behind.

usage: check_text.py ROOT
"""

import subprocess
import sys
from pathlib import Path

MARKS = ("<" * 7 + " ", ">" * 7 + " ")


def texts(root):
    """Paths of all files that the project keeps; where git does not tell, of all below the directory that nothing built."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [root / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] not in ("build", "out")]


def main():
    root = Path(sys.argv[1])
    found = []
    for path in texts(root):
        try:
            lines = path.read_text().splitlines()
        except (OSError, UnicodeDecodeError):  # a binary file, or one that is gone
            continue
        found += [f"{path.relative_to(root)}:{number}: {line}" for number, line in enumerate(lines, 1)
                  if line.startswith(MARKS)]
    print("\n".join(found) or "no marks of a merge")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
