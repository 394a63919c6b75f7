#!/usr/bin/env python3
"""Which constants hide others when sources are joined."""

import unittest

from hidden_names import hidden

HEADER = "namespace a::b {\ninline constexpr int kMost = 3;\n}\n"


class HiddenNames(unittest.TestCase):
    def test_a_constant_of_the_same_namespace_hides(self):
        source = "namespace a::b {\nnamespace {\nconstexpr int kLeast = 1, kMost = 4;\n}\n}\n"
        self.assertEqual(len(hidden({"b.hpp": HEADER, "b.cpp": source})), 1)

    def test_one_of_an_inner_namespace_hides(self):
        self.assertEqual(len(hidden({"b.hpp": HEADER, "c.cpp": "namespace a::b::c {\nconst char kMost[] = {};\n}\n"})), 1)

    def test_one_of_another_namespace_does_not(self):
        for other in ("a", "a::bc", "d"):
            source = f"namespace {other} {{\nconstexpr int kMost = 4;\n}}\n"
            self.assertEqual(hidden({"b.hpp": HEADER, "b.cpp": source}), [])

    def test_one_inside_a_function_does_not(self):
        source = "namespace a::b {\nint f() {\n  constexpr int kMost = 4;\n  return kMost;\n}\n}\n"
        self.assertEqual(hidden({"b.hpp": HEADER, "b.cpp": source}), [])


if __name__ == "__main__":
    unittest.main()
