"""The index of rules and tests: what it is made of, and that its faults are told."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import links
import markdown
import rule_index

PAGE = """# Network

## One packet at a time

<a id="first-come"></a>Packets wait.

```
# not a heading
```
"""
SOURCE = """TEST(Network, OnePacket) {}
TEST_P(Network,
       ManyPackets) {}
"""


class Tree:
    """A small project in a temporary directory."""

    def __init__(self, case, lines):
        folder = tempfile.TemporaryDirectory()
        case.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/models/network.md", PAGE)
        self.write("docs/models/tests.txt", lines)
        self.write("tests/network_test.cpp", SOURCE)
        self.write("tests/CMakeLists.txt", "add_test(NAME text.merged COMMAND true)")
        self.write("tests/lab_test.py", "class Lab(unittest.TestCase):\n    def test_it_runs(self):\n        pass\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *options):
        said, arguments = io.StringIO(), sys.argv
        sys.argv = ["rule_index.py", "--root", str(self.root), *options]
        try:
            with contextlib.redirect_stdout(said):
                return rule_index.main(), said.getvalue()
        finally:
            sys.argv = arguments


class Index(unittest.TestCase):
    def test_names_the_tests_of_each_rule(self):
        tree = Tree(self, "# a remark\n\nnetwork.md#one-packet-at-a-time | Network.OnePacket, text.merged\n"
                          "network.md#first-come | Network.*, Lab.test_it_runs, tests/network_test.cpp\n")
        self.assertEqual(tree.run(), (0, ""))
        self.assertEqual((tree.root / "docs/models/tests.md").read_text().split("\n\n", 2)[2].splitlines(), [
            "## [Network](network.md)", "", "| rule | tests |", "|---|---|",
            "| [One packet at a time](network.md#one-packet-at-a-time) | `Network.OnePacket`, `text.merged` |",
            "| [first come](network.md#first-come) | `Network.*`, `Lab.test_it_runs`, `tests/network_test.cpp` |"])
        self.assertEqual(tree.run("--check"), (0, ""))

    def test_names_pages_elsewhere_in_the_documentation(self):
        tree = Tree(self, "../reference/report.md#columns | Network.OnePacket\n")
        tree.write("docs/reference/report.md", "# Report\n\n## Columns\n")
        self.assertEqual(tree.run(), (0, ""))
        self.assertIn("| [Columns](../reference/report.md#columns) | `Network.OnePacket` |",
                      (tree.root / "docs/models/tests.md").read_text())

    def test_of_another_state_is_old(self):
        tree = Tree(self, "network.md#first-come | Network.OnePacket\n")
        self.assertEqual(tree.run("--check")[0], 1)
        tree.run()
        tree.write("docs/models/tests.txt", "network.md#first-come | Network.ManyPackets\n")
        self.assertEqual(tree.run("--check"), (1, "docs/models/tests.md is old: run tests/text/rule_index.py\n"))

    def test_tells_all_faults_with_their_lines(self):
        tree = Tree(self, "network.md#not-a-heading | Network.OnePacket\nstorage.md#rule | Network.OnePacket\n"
                          "network.md#first-come | Network.NoPacket, Storage.*, tests/gone\nnetwork.md first-come\n"
                          "network.md#first-come | Network.OnePacket\n")
        status, said = tree.run()
        self.assertEqual(status, 1)
        self.assertEqual([line.split(": ", 1)[0] + ": " + line.split(": ", 1)[1][:24] for line in said.splitlines()], [
            "docs/models/tests.txt:1: network.md has no anchor",
            "docs/models/tests.txt:2: there is no page docs/mo",
            "docs/models/tests.txt:3: no test Network.NoPacket",
            "docs/models/tests.txt:3: no test Storage.* below ",
            "docs/models/tests.txt:3: no test tests/gone below",
            "docs/models/tests.txt:4: expected 'page.md#anchor",
            "docs/models/tests.txt:5: network.md#first-come is"])
        self.assertFalse((tree.root / "docs/models/tests.md").exists())


class Anchors(unittest.TestCase):
    def test_are_headings_as_github_has_them_and_explicit_ones(self):
        for heading, slug in (("A `b.hpp`, and [c](d.md)", "a-bhpp-and-c"), ("Rate & size", "rate--size"), ("x_y: *z*", "x_y-z")):
            self.assertEqual(markdown.slug(heading), slug)
        self.assertEqual(list(markdown.anchors("# Rule\n# Rule\n<a id=\"x-y\"></a>\n")), ["rule", "rule-1", "x-y"])


class Links(unittest.TestCase):
    def test_that_lead_nowhere_are_told(self):
        tree = Tree(self, "")
        tree.write("README.md", "[a](docs/models/network.md#first-come) [b](docs/gone.md)\n`[c](gone)` [d](https://x.org)\n"
                                      "[e](docs/models/network.md#gone)\n")
        self.assertEqual(list(links.faults(tree.root)), [
            "README.md:1: there is no docs/gone.md: correct the link",
            "README.md:3: docs/models/network.md has no anchor gone: correct the link"])


if __name__ == "__main__":
    unittest.main()
