#!/usr/bin/env python3
"""The check of programs that must not compile fails where it should.   check_test.py [COMPILER]"""

import sys
import tempfile
import unittest
from pathlib import Path

import check

COMPILER = [sys.argv.pop(1) if len(sys.argv) > 1 else "c++"]
REFUSED = "// expected: {}\n{}\n#ifdef WRONG\n{}\n#else\n{}\n#endif\n"


class Checker(unittest.TestCase):
    def fault(self, expected, wrong, right, include=""):
        with tempfile.TemporaryDirectory() as place:
            source = Path(place, "mix.cpp")
            source.write_text(REFUSED.format(expected, include, wrong, right))
            return check.fault(source, COMPILER)

    def test_passes_what_is_refused_for_the_expected_reason(self):
        self.assertIsNone(self.fault("invalid conversion|cannot", "int* n = 5;", "int n = 5;"))

    def test_fails_when_the_mix_compiles(self):
        self.assertEqual(self.fault("conversion", "int n = 5;", "int n = 5;"), "compiles with what is wrong")

    def test_fails_when_what_is_meant_does_not_compile(self):
        self.assertRegex(self.fault("conversion", "int* n = 5;", "int n = nothing;"), "^does not compile without")

    def test_fails_when_a_header_is_missing(self):
        self.assertRegex(self.fault("No such file", "int* n = 5;", "int n = 5;", '#include "missing.hpp"'), "^does not compile without")

    @unittest.skipUnless(check.is_gcc(COMPILER), "the wording of GCC")
    def test_fails_when_the_reason_is_another(self):
        self.assertRegex(self.fault("conversion", "int n = nothing;", "int n = 5;"), "^fails for another reason than 'conversion'")

    @unittest.skipUnless(check.is_gcc(COMPILER), "the place that GCC names")
    def test_fails_when_the_error_is_in_a_header(self):
        with tempfile.TemporaryDirectory() as place:
            header = Path(place, "header.hpp")
            header.write_text("#ifdef WRONG\nint* n = 5;\n#endif\n")
            self.assertRegex(self.fault("conversion", "", "", f'#include "{header}"'), "^fails elsewhere")

    def test_fails_without_a_stated_reason(self):
        with tempfile.TemporaryDirectory() as place:
            source = Path(place, "mix.cpp")
            source.write_text("int n;\n")
            self.assertRegex(check.fault(source, COMPILER), "^has no line")


if __name__ == "__main__":
    unittest.main()
