#!/usr/bin/env python3
"""./dev tells of each of its commands, and does nothing else when it is asked."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = re.findall(r"^command_(\w+)\(\)", (ROOT / "dev").read_text(), re.MULTILINE)
WHAT_WOULD_WORK = ("apt-get", "sudo", "cmake", "ninja", "ctest", "clang-format")


class Help(unittest.TestCase):
    def setUp(self):
        """Programs that would install, build or change something only write down that they were called."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.called = Path(place.name) / "called"
        for name in WHAT_WOULD_WORK:
            program = Path(place.name) / name
            program.write_text(f"#!/bin/sh\necho {name} >>'{self.called}'\n")
            program.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{place.name}:{os.environ['PATH']}"}

    def dev(self, *arguments):
        done = subprocess.run([ROOT / "dev", *arguments], env=self.environment, capture_output=True, text=True, check=False)
        self.assertFalse(self.called.exists(), f"./dev {' '.join(arguments)} does more than to tell")
        return done

    def told_of(self, command):
        done = self.dev("help", command)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def test_finds_the_commands_of_dev(self):
        self.assertIn("build", COMMANDS)
        self.assertGreater(len(COMMANDS), 5)

    def test_of_each_command_tells_arguments_what_it_does_an_example_and_more_in_three_to_ten_lines(self):
        for command in COMMANDS:
            with self.subTest(command):
                said = self.told_of(command)
                self.assertRegex(said, rf"\Ausage: \./dev {command}\b.*\n\w.*\n")
                self.assertRegex(said, rf"(?m)^  \S*.*\./dev {command}\b")
                self.assertGreater(len(said.split("\n\n")), 2, "no paragraph on what it needs and how long it takes")
                lines = [line for line in said.splitlines() if line]
                self.assertTrue(3 <= len(lines) <= 10, f"{len(lines)} lines")

    def test_is_the_same_behind_the_command(self):
        for command in COMMANDS:
            for option in ("--help", "-h"):
                with self.subTest(f"{command} {option}"):
                    done = self.dev(command, option)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    # The laboratory lists its verbs behind it.
                    self.assertTrue(done.stdout.startswith(self.told_of(command)))
                    self.assertEqual("Verbs: up, run" in done.stdout, command == "lab")

    def test_lists_every_command_with_its_summary_once(self):
        for arguments in ((), ("help",), ("--help",), ("-h",)):
            said = self.dev(*arguments).stdout
            self.assertEqual(sorted(re.findall(r"^  (\w+) .*\S", said, re.MULTILINE)), sorted(COMMANDS), arguments)
        for command in COMMANDS:
            summary = self.told_of(command).split("\n\n")[0].splitlines()[1:]
            for line in summary:
                self.assertIn(line, said)

    def test_of_what_is_no_command_is_wrong_use(self):
        for arguments in (("biuld",), ("help", "biuld"), ("biuld", "--help")):
            done = self.dev(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith("no command 'biuld'\nusage: ./dev COMMAND\n"), done.stderr)

    def test_is_found_from_any_directory(self):
        done = subprocess.run([ROOT / "dev", "help", "build"], cwd="/", env=self.environment, capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (0, self.told_of("build")))


if __name__ == "__main__":
    unittest.main()
