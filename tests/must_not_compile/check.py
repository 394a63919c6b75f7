#!/usr/bin/env python3
"""A program must not compile, for the reason that it states; and does without what is wrong in it.

usage: check.py SOURCE COMPILER [OPTION ..]

Behind `#ifdef WRONG` in SOURCE is what must be refused, behind `#else` what is meant instead. Its line `// expected: REGEX` is
how the compiler's first error reads. That error must lie in SOURCE itself: a header that is missing proves nothing. Only the
wording of GCC is known: with another compiler the reason is not looked at, which is said.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ERROR = re.compile(r"^(.*?):\d+:(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)


def compiled(command, source, *options):
    done = subprocess.run([*command, *options, "-fsyntax-only", str(source)], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"})
    return done.returncode == 0, done.stderr


def is_gcc(command):
    defined = subprocess.run([*command, "-dM", "-E", "-x", "c++", "/dev/null"], capture_output=True, text=True, check=True).stdout
    return "__GNUC__" in defined and "__clang__" not in defined


def fault(source, command):
    """What contradicts the file; None where nothing does."""
    text = source.read_text()
    expected = re.search(r"^// expected: (.+)$", text, re.MULTILINE)
    if not expected or "#ifdef WRONG" not in text or "#else" not in text:
        return "has no line '// expected: REGEX', or no '#ifdef WRONG' with an '#else'"
    passes, said = compiled(command, source)
    if not passes:
        return f"does not compile without what is wrong:\n{said}"
    passes, said = compiled(command, source, "-DWRONG")
    if passes:
        return "compiles with what is wrong"
    first = ERROR.search(said)
    if not is_gcc(command):
        print("not GCC: it fails, but whether for the expected reason is not known")
        return None
    if not first or Path(first.group(1)).resolve() != source.resolve():
        return f"fails elsewhere, not in this file:\n{said}"
    if not re.search(expected.group(1), first.group(2)):
        return f"fails for another reason than '{expected.group(1)}':\n{said}"
    return None


def main():
    source, command = Path(sys.argv[1]), sys.argv[2:]
    found = fault(source, command)
    if found:
        print(f"{source}: {found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
