#!/usr/bin/env python3
"""Makes the entries of calls that come through Fortran bindings.

usage: generate_fortran.py mpi_functions.table OUTPUT_DIRECTORY
writes plumbline_mpi_fortran.c; the same input gives the same output.

PMPI_X   Bindings convert the arguments of Fortran and call the function of C, many by its PMPI_ name: all of Open MPI,
         and those of MPICH's mpi_f08 that pass no buffer. Such a call is the program's, and the wrapper's, if it comes
         from the one function of a binding that stands for X. Every other one goes on to the real function: the
         library's own, and what a binding asks for itself (MPI_Comm_size inside of MPI_Gatherv).
         Where there are other layers (layers.h), what they call outside of a recorded call is the program's too: then
         all calls that are not known to be a binding's come to pl_outer_X.
         While what the library does inside of calls is recorded, such a call is noted if it may send or wait
         (inner_calls.h).
mpi_x_   Notes where the program calls and goes on to the binding, all registers and the stack as they came.
"""
import itertools
import pathlib
import sys

sys.dont_write_bytecode = True  # beside the sources
from generate import parse, with_derived  # noqa: E402

# Their calls come from a second binding library (Open MPI's mpi_f08) or from a helper without a name (MPICH's): those
# from anywhere in the bindings count.
CALLED_FROM_ANYWHERE = {"Buffer_detach", "Comm_spawn", "Comm_spawn_multiple"}
ONLY_MPICH = "!defined(OPEN_MPI)"


def callers(f):
    """The functions of bindings that stand for f, Open MPI's and MPICH's."""
    name = f.short.lower()
    if f.short in CALLED_FROM_ANYWHERE:
        return []
    return [f"mpi_{name[:-2]}_f08_large_"] if name.endswith("_c") else [f"ompi_{name}_f", f"mpi_{name}_f08_"]


def condition(f):
    return f"MPI_VERSION >= {f.version}" if f.version > 3 else ""


def fortran_names(f):
    """(condition, name) of what compilers of today call. Names without an underscore belong to C programs."""
    name = f.short.lower()
    if name.endswith("_c"):
        return [(condition(f), f"mpi_{name[:-2]}_{which}_large_") for which in ("f08", "f08ts")]
    both = [f"mpi_{name}_", f"mpi_{name}__", f"mpi_{name}_f08_"]
    return [(condition(f), one) for one in both] + [(condition(f) or ONLY_MPICH, f"mpi_{name}_f08ts_")]


HEAD = """/* Made by generate_fortran.py from mpi_functions.table. */
#include "tracer/preload/mpi/symbols/fortran.h"
#include "tracer/preload/inner/inner_calls.h"
#include "tracer/preload/mpi/symbols/layers.h"
#include "tracer/preload/mpi/mpi_side.h"

typedef intptr_t pl_word;
"""

ENTRIES = """#if defined(__x86_64__)
_Static_assert(offsetof(struct pl_process, recording) == 0, "read by the entries");
_Static_assert(offsetof(struct pl_process, internals) == 20, "read by the entries");
_Static_assert(offsetof(struct pl_thread, mode) == 0 && PL_OUTSIDE == 0, "read by the entries");
_Static_assert(sizeof(struct pl_gate) == 24 && offsetof(struct pl_gate, bytes) == 8 &&
                   offsetof(struct pl_gate, next) == 16,
               "read by the entries");

#define PL_FUNCTION(name, body)                                                                             \\
  __asm__(".pushsection .text\\n.globl " name "\\n.type " name ", @function\\n.p2align 4\\n" name ":\\n"      \\
          ".cfi_startproc\\n" body ".cfi_endproc\\n.size " name ", .-" name "\\n.popsection")

/* Called once each, while it is not known where to go on: with its number to pl_fortran_first. */
#define PL_FIRST(number) "pl_first_" #number ":\\nmovl $" #number ", %r11d\\njmp pl_fortran_first\\n"

/* r11 belongs to whoever links calls; every other register may hold an argument (al of a variadic function). */
#define PL_PMPI(number, name, programs, others)                                                             \\
  PL_FUNCTION("PMPI_" #name,                                                                                \\
              ".hidden pl, pl_gates, pl_first_" #number ", pl_pmpi_" #name ", pl_wrap_" #name "\\n"          \\
              ".globl pl_first_" #number ", pl_pmpi_" #name "\\npl_pmpi_" #name ":\\n"                       \\
              "movq (%rsp), %r11\\nsubq pl_gates+24*" #number "(%rip), %r11\\n"                              \\
              "cmpq pl_gates+24*" #number "+8(%rip), %r11\\njb 1f\\n"                                        \\
              others "jmp *pl_gates+24*" #number "+16(%rip)\\n1: " programs "\\n" PL_FIRST(number))
#define PL_PROGRAMS(name) ".hidden pl_pass_" #name "\\ncmpl $0, pl(%rip)\\njne pl_wrap_" #name "\\njmp pl_pass_" #name
#define PL_PMPI_RECORDED(number, name) PL_PMPI(number, name, PL_PROGRAMS(name), "")
#define PL_PMPI_NESTED(number, name)                                                                        \\
  PL_PMPI(number, name, PL_PROGRAMS(name),                                                                  \\
          ".hidden pl_nested_" #name ", pl_self\\ncmpl $0, pl+20(%rip)\\nje 2f\\n"                           \\
          "movq pl_self@gottpoff(%rip), %r11\\ncmpl $0, %fs:(%r11)\\njne pl_nested_" #name "\\n2: ")
#define PL_PMPI_ALWAYS(number, name) PL_PMPI(number, name, "jmp pl_wrap_" #name, "")

#define PL_FORTRAN(number, nth, name)                                                                       \\
  PL_FUNCTION(#name, ".hidden pl_fortran_caller, pl_fortran_next, pl_first_" #number "\\n"                   \\
                     ".globl pl_first_" #number "\\n"                                                        \\
                     "movq pl_fortran_caller@gottpoff(%rip), %r11\\n"                                        \\
                     "pushq (%rsp)\\n.cfi_adjust_cfa_offset 8\\n"                                            \\
                     "popq %fs:(%r11)\\n.cfi_adjust_cfa_offset -8\\n"                                        \\
                     "jmp *pl_fortran_next+8*" #nth "(%rip)\\n" PL_FIRST(number))
"""

NESTED = """pl_word pl_nested_{short}({declared});
pl_word pl_nested_{short}({declared}) {{
  struct pl_nested nested;
  int recorded = !pl_is_layer(__builtin_return_address(0)) && pl_begin_nested(&nested, {function});
  pl_word result = ((pl_word(*)({types}))(void (*)(void))pl_library.{short})({passed});
  if (recorded) pl_end_nested(&nested);
  return result;
}}
"""

# Where calls go that are no binding's as far as the gate knows, when there are other layers.
OUTER = """PL_COLD pl_word pl_outer_{short}({declared});
extern pl_word pl_programs_{short}({declared}) __asm__("pl_wrap_{short}");
extern pl_word pl_pass_{short}({declared});
pl_word pl_outer_{short}({declared}) {{
  if (!pl_is_past_layers({number}, __builtin_return_address(0)))
    return ((pl_word(*)({types}))(void (*)(void))pl_library.{short})({passed});
  pl_past_layers = pl_layers.{short} != NULL;
  return {recorded} ? pl_programs_{short}({passed}) : {passes};
}}
"""

# Elsewhere calls pass as whole words, as everywhere once they are noted (generate.py, ENTRIES), and where the program
# called a binding is not known.
PORTABLE_HEAD = "#else"
PORTABLE = """PL_EXPORT pl_word pl_pmpi_{short}({declared}) __asm__("P{name}");
pl_word pl_pmpi_{short}({declared}) {{
  void (*next)(void) = pl_fortran_next_of({number});
  if (!pl_is_programs({number}, __builtin_return_address(0))) return {others};
  return {recorded} ? pl_programs_{short}({passed}) : {passes};
}}
"""


def is_always(f):
    """By these recording begins."""
    return f.short in ("Init", "Init_thread")


def is_bound(f):
    return f.is_mpi and (f.has_entry or is_always(f))


def is_nested(f):
    """It may send, or wait."""
    return not is_always(f) and f.layout != "NONE"


def kind_of(f):
    return "ALWAYS" if is_always(f) else "NESTED" if is_nested(f) else "RECORDED"


def as_words(f):
    """(as declared, their types, as passed on)"""
    words = [f"a{i}" for i in range(len(f.names))]
    return (", ".join(f"pl_word {word}" for word in words) or "void", ", ".join(["pl_word"] * len(words)) or "void",
            ", ".join(words))


def nested(number, f):
    declared, types, passed = as_words(f)
    return NESTED.format(short=f.short, function=f.number, declared=declared, types=types, passed=passed)


def portable(number, f):
    declared, types, passed = as_words(f)
    real = f"((pl_word(*)({types}))next)({passed})"
    others = f"pl.internals && pl_self.mode != PL_OUTSIDE ? pl_nested_{f.short}({passed}) : {real}" if is_nested(f) else real
    recorded, passes = recorded_or_passed(f, passed)
    return PORTABLE.format(number=number, name=f.name, short=f.short, recorded=recorded, passes=passes, passed=passed,
                           declared=declared, others=others)


def recorded_or_passed(f, passed):
    return ("1", "0") if is_always(f) else ("PL_LIKELY(pl.recording)", f"pl_pass_{f.short}({passed})")


def outer(number, f):
    declared, types, passed = as_words(f)
    recorded, passes = recorded_or_passed(f, passed)
    return OUTER.format(number=number, short=f.short, recorded=recorded, passes=passes, passed=passed, types=types,
                        declared=declared)


def quoted(names):
    return ", ".join(f'"{name}"' for name in names) or "NULL"


def grouped(items, line):
    """A line for each of (number, condition, item); equal conditions stand together."""
    lines = []
    for condition, some in itertools.groupby(items, key=lambda item: item[1]):
        some = [line(number, item) for number, _, item in some]
        lines += [f"#if {condition}", *some, "#endif"] if condition else some
    return lines


def source(functions):
    bound = sorted((f for f in functions if is_bound(f)), key=lambda f: f.version)
    numbered = [(number, condition(f), f) for number, f in enumerate(bound)]
    names = sorted((one for f in bound for one in fortran_names(f)), key=lambda one: one[0])
    names = [(number, condition, name) for number, (condition, name) in enumerate(names)]
    first = len(bound)  # number of the first name: numbers of both kinds are one row
    lines = [HEAD]
    lines += grouped([one for one in numbered if is_nested(one[2])], nested)
    lines += grouped(numbered, outer)
    lines += [ENTRIES]
    lines += grouped(numbered, lambda n, f: f"PL_PMPI_{kind_of(f)}({n}, {f.short});")
    lines += grouped(names, lambda n, name: f"PL_FORTRAN({first + n}, {n}, {name});")
    lines += ["", "const char* const pl_fortran_names[] = {"]
    lines += grouped(names, lambda n, name: f'    "{name}",')
    lines += ["};", ""]
    lines += grouped(numbered, lambda n, f: f"void pl_pmpi_{f.short}(void);\nvoid pl_first_{n}(void);")
    lines += grouped(names, lambda n, name: f"void pl_first_{first + n}(void);")
    lines += ["void (*pl_fortran_next[])(void) = {"]
    lines += grouped(names, lambda n, name: f"    pl_first_{first + n},")
    lines += ["};", f"struct pl_gate pl_gates[{len(bound)}] = {{"]
    lines += grouped(numbered, lambda n, f: f"    {{0, 0, pl_first_{n}}},")
    lines += ["};", "#define PL_AGAIN(name) pl_pmpi_##name", "", PORTABLE_HEAD]
    lines += grouped(numbered, portable)
    lines += [f"struct pl_gate pl_gates[{len(bound)}];", "#define PL_AGAIN(name) NULL", "#endif", "",
              "const struct pl_bound pl_bound[] = {"]
    lines += grouped(numbered, lambda n, f: f'    {{"P{f.name}", offsetof(struct pl_mpi, {f.short}), '
                                            f'{{{quoted(callers(f))}}}, PL_AGAIN({f.short}), '
                                            f'(void (*)(void))pl_outer_{f.short}}},')
    lines += ["};", f"struct pl_gate pl_binding_gates[{len(bound)}];", "const unsigned pl_bound_count = sizeof pl_bound / sizeof pl_bound[0];",
              f"const unsigned pl_fortran_first_number = {first};", ""]
    return "\n".join(lines)


def main():
    functions = with_derived(parse(pathlib.Path(sys.argv[1]), version=4))
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    (out / "plumbline_mpi_fortran.c").write_text(source(functions))


if __name__ == "__main__":
    main()
