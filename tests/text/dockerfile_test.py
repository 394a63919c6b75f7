#!/usr/bin/env python3
"""The Dockerfile runs the README's two commands on the system that the README names. It is not built here: that needs docker
and a network."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def instructions():
    """(name, rest) of each; what a backslash continues is joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


class Dockerfile(unittest.TestCase):
    def test_runs_the_commands_of_the_readme_in_their_order(self):
        commands = re.findall(r"^    (\./dev \w+) +#", README, re.MULTILINE)
        self.assertEqual(len(commands), 2)
        self.assertEqual([rest for name, rest in instructions() if name == "RUN"], commands)

    def test_begins_with_the_system_of_the_readme(self):
        version = re.search(r"^On Debian (\d+), as root", README, re.MULTILINE).group(1)
        self.assertEqual(instructions()[0], ("FROM", f"debian:{version} AS demo"))

    def test_what_it_runs_is_a_command_and_shell(self):
        for name, rest in instructions():
            if name == "RUN":
                subprocess.run(["sh", "-n", "-c", rest], check=True)
                subprocess.run([*rest.split(), "--help"], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)

    def test_takes_along_nothing_that_was_built_elsewhere(self):
        ignored = set((ROOT / ".dockerignore").read_text().split())
        self.assertEqual(ignored, {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line[0] == "/"})


if __name__ == "__main__":
    unittest.main()
