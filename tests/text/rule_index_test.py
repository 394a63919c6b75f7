"""The index of rules and tests: what it is made of, and that its faults are told. Links and lengths of pages."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import links
import markdown
import page_length
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
    def page(self, tree, name):
        return (tree.root / "docs/models" / name).read_text()

    def test_names_the_tests_of_each_rule_on_the_page_of_its_group(self):
        tree = Tree(self, "# a remark\n\n== network Networks\nnetwork.md#one-packet-at-a-time | Network.OnePacket, text.merged\n"
                          "network.md#first-come | Network.*, Lab.test_it_runs, tests/network_test.cpp\n")
        self.assertEqual(tree.run(), (0, ""))
        page = self.page(tree, "tests-network.md")
        self.assertTrue(page.startswith("# Rules and their tests: Networks\n"))
        self.assertEqual(page.split("\n\n", 2)[2].splitlines(), [
            "## [Network](network.md)", "", "| rule | tests |", "|---|---|",
            "| [One packet at a time](network.md#one-packet-at-a-time) | `Network.OnePacket`, `text.merged` |",
            "| [first come](network.md#first-come) | `Network.*`, `Lab.test_it_runs`, `tests/network_test.cpp` |"])
        self.assertEqual(tree.run("--check"), (0, ""))

    def test_leads_from_one_page_to_those_of_the_groups(self):
        tree = Tree(self, "== network Networks\nnetwork.md#first-come | Network.OnePacket\n"
                          "== form Forms\n../reference/report.md#columns | Network.OnePacket\n")
        tree.write("docs/reference/report.md", "# Report\n\n## Columns\n")
        self.assertEqual(tree.run(), (0, ""))
        self.assertEqual(self.page(tree, "tests.md").split("\n\n", 2)[2].splitlines()[2:], [
            "| [Networks](tests-network.md) | [Network](network.md) |",
            "| [Forms](tests-form.md) | [Report](../reference/report.md) |"])
        self.assertIn("| [Columns](../reference/report.md#columns) | `Network.OnePacket` |", self.page(tree, "tests-form.md"))
        self.assertNotIn("Columns", self.page(tree, "tests-network.md"))

    def test_of_another_state_is_old(self):
        tree = Tree(self, "== network Networks\nnetwork.md#first-come | Network.OnePacket\n")
        self.assertEqual(tree.run("--check")[0], 1)
        tree.run()
        tree.write("docs/models/tests.txt", "== network Networks\nnetwork.md#first-come | Network.ManyPackets\n")
        self.assertEqual(tree.run("--check"), (1, "docs/models/{tests-network.md} are old: run tests/text/rule_index.py\n"))

    def test_the_page_of_a_group_that_is_no_more_is_old_and_removed(self):
        tree = Tree(self, "== network Networks\nnetwork.md#first-come | Network.OnePacket\n")
        tree.run()
        tree.write("docs/models/tests-gone.md", "# Gone\n")
        self.assertEqual(tree.run("--check"), (1, "docs/models/{tests-gone.md} are old: run tests/text/rule_index.py\n"))
        tree.run()
        self.assertFalse((tree.root / "docs/models/tests-gone.md").exists())

    def test_a_page_over_fifteen_hundred_words_is_a_fault(self):
        tests = ", ".join(["Network.OnePacket"] * 1500)
        tree = Tree(self, f"== network Networks\nnetwork.md#first-come | {tests}\n")
        status, said = tree.run()
        self.assertEqual(status, 1)
        self.assertRegex(said, r"^docs/models/tests.txt:1: the page of the group network has 15\d\d words, more than 1500")

    def test_tells_all_faults_with_their_lines(self):
        tree = Tree(self, "network.md#first-come | Network.OnePacket\n== network Networks\n"
                          "network.md#not-a-heading | Network.OnePacket\nstorage.md#rule | Network.OnePacket\n"
                          "network.md#first-come | Network.NoPacket, Storage.*, tests/gone\nnetwork.md first-come\n"
                          "network.md#first-come | Network.OnePacket\n== network Again\n")
        status, said = tree.run()
        self.assertEqual(status, 1)
        self.assertEqual([line.split(": ", 1)[0] + ": " + line.split(": ", 1)[1][:24] for line in said.splitlines()], [
            "docs/models/tests.txt:1: it stands before the fir",
            "docs/models/tests.txt:3: network.md has no anchor",
            "docs/models/tests.txt:4: there is no page docs/mo",
            "docs/models/tests.txt:5: no test Network.NoPacket",
            "docs/models/tests.txt:5: no test Storage.* below ",
            "docs/models/tests.txt:5: no test tests/gone below",
            "docs/models/tests.txt:6: expected 'page.md#anchor",
            "docs/models/tests.txt:7: network.md#first-come is",
            "docs/models/tests.txt:8: the group network begins"])
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


class Length(unittest.TestCase):
    def test_of_a_page_over_fifteen_hundred_words_is_told(self):
        tree = Tree(self, "")
        tree.write("README.md", "word " * 1500)
        tree.write("docs/how-to/long.md", "word " * 1501)
        tree.write("docs/internals/long.md", "word " * 9000)
        self.assertEqual([fault.split(",")[0] for fault in page_length.faults(tree.root)],
                         ["docs/how-to/long.md has 1501 words"])


if __name__ == "__main__":
    unittest.main()
