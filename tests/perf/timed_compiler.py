#!/usr/bin/env -S python3 -I -S
"""Runs a compiler, and adds what it took to the file that PLUMBLINE_BUILD_COST names: one line of JSON.

usage: timed_compiler.py COMPILER ARGUMENT ..

{"seconds": CPU time of the compiler and of what it started, user and system, "words": its arguments, "directory": where}
Output, input and exit status are the compiler's. Lines of compilers that end at the same time do not mix: each is one
write to the end of the file. The time of this program itself, about 10 ms, is not in it.
"""
import json
import os
import sys


def main():
    words = sys.argv[1:]
    process = os.spawnvp(os.P_NOWAIT, words[0], words)
    _, status, used = os.wait4(process, 0)
    line = {"seconds": used.ru_utime + used.ru_stime, "words": words, "directory": os.getcwd()}
    file = os.open(os.environ["PLUMBLINE_BUILD_COST"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.write(file, (json.dumps(line) + "\n").encode())
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main())
