#!/usr/bin/env python3
"""Makes the MPI wrappers and the table of functions from mpi_functions.table.

usage: generate.py mpi_functions.table OUTPUT_DIRECTORY
writes plumbline_mpi_table.h, plumbline_mpi_table.c, plumbline_mpi_wrappers.c and plumbline_mpi_entries.c; the same
input gives the same output.
"""
import pathlib
import re
import sys
from dataclasses import dataclass, field

# Arguments of pl_volume_<shape> behind the communicator, by name (collectives.h).
SHAPES = {
    "barrier": "",
    "bcast": "count datatype root",
    "reduce": "count datatype root",
    "allreduce": "count datatype",
    "exscan": "count datatype",
    "gather": "sendbuf sendcount sendtype recvcount recvtype root",
    "gatherv": "sendbuf sendcount sendtype recvcounts recvtype root",
    "scatter": "recvbuf sendcount sendtype recvcount recvtype root",
    "scatterv": "recvbuf sendcounts sendtype recvcount recvtype root",
    "allgather": "sendbuf sendcount sendtype recvcount recvtype",
    "allgatherv": "sendbuf sendcount sendtype recvcounts recvtype",
    "alltoall": "sendbuf sendcount sendtype recvcount recvtype",
    "alltoallv": "sendbuf sendcounts sendtype recvcounts recvtype",
    "alltoallw": "sendbuf sendcounts sendtypes recvcounts recvtypes",
    "reduce_scatter": "recvcounts datatype",
    "reduce_scatter_block": "recvcount datatype",
}
LISTING = {"gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw", "reduce_scatter"}


@dataclass
class Function:
    name: str
    layout: str = "NONE"
    shape: str = ""
    kind: str = "WRAP"  # or HAND, CALL
    arguments: str = ""  # as declared
    names: list = field(default_factory=list)
    is_mpi: bool = True

    @property
    def short(self):
        return self.name[len("MPI_"):]

    @property
    def number(self):
        return "PL_F_" + re.sub(r"\W+", "_", self.name).strip("_")

    @property
    def has_entry(self):
        """MPI_Init and MPI_Init_thread are exported by hand: they are what makes recording begin."""
        return self.is_mpi and self.kind != "CALL" and self.short not in ("Init", "Init_thread")

    def has(self, name):
        return name in self.names

    def first(self, *candidates):
        for name in candidates:
            if self.has(name):
                return name
        sys.exit(f"mpi_functions.table: {self.name} ({self.layout}) has none of the arguments {', '.join(candidates)}")

    @property
    def call(self):
        return f"pl_mpi.{self.short}({', '.join(self.names)})"


def argument_names(arguments):
    if arguments.strip() in ("", "void"):
        return []
    return [re.search(r"(\w+)\s*(\[\])?$", one.strip()).group(1) for one in arguments.split(",")]


def parse(path):
    functions = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.match(r"(?:(HAND|CALL)\s+)?(?:([A-Z_]+)\s+)?(?:([a-z_]+)\s+)?(MPI_\w+)\((.*)\)$", line)
        if match:
            kind, layout, shape, name, arguments = match.groups()
            if shape and shape not in SHAPES:
                sys.exit(f"{path}:{number}: shape '{shape}' is unknown; add it to generate.py and collectives.h")
            functions.append(Function(name, layout or "NONE", shape or "", kind or "WRAP", arguments,
                                      argument_names(arguments)))
            continue
        match = re.match(r"HAND\s+(POSIX_\w+)\s+(.+)$", line)
        if not match:
            sys.exit(f"{path}:{number}: not of the form 'layout [shape] MPI_Name(arguments)'")
        functions.append(Function(match.group(2).strip(), match.group(1), kind="HAND", is_mpi=False))
    return functions


# ---- Wrappers: per layout what is looked up first (it may define something), the words before the call and after it.

def status_of(f, looked):
    """The status to pass on: ours where the program ignores it."""
    if not f.has("status"):
        return f.call
    looked.append("MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;")
    return f"pl_mpi.{f.short}({', '.join('used' if n == 'status' else n for n in f.names)})"


def request_of(f, looked, kind):
    if not f.has("request"):
        return "0", []
    looked.append("uint32_t request_id = pl_request_id();")
    return "request_id", [f"if (request != NULL) pl_keep_request(result, *request, request_id, {kind});"]


def comm_of(f, looked):
    looked.append(f"const struct pl_comm* c = pl_comm_of(t, {f.first('comm', 'comm_old', 'local_comm', 'intercomm')});")


def wrap_none(f):
    return [], [], f.call, []


def wrap_send(f):
    looked = []
    comm_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_OTHER")
    before = ["pl_pair(pl_peer(dest), pl_tag(tag))", "dest == MPI_PROC_NULL ? 0 : pl_bytes(count, datatype)",
              f"pl_pair(c->id, {request})"]
    return looked, before, f.call, after


def wrap_recv(f):
    looked = []
    comm_of(f, looked)
    call = status_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_RECV")
    before = ["pl_pair(pl_peer(source), pl_tag(tag))", "pl_bytes(count, datatype)", f"pl_pair(c->id, {request})"]
    if f.has("status"):
        before.append("0")
        after = ["call.r->payload[1] = result == MPI_SUCCESS ? pl_status_bytes(used) : 0;",
                 "call.r->payload[3] = pl_matched(result, used);"]
    return looked, before, call, after


def wrap_sendrecv(f):
    looked = []
    comm_of(f, looked)
    call = status_of(f, looked)
    send, recv = (f"{f.first(side + 'count', 'count')}, {f.first(side + 'type', 'datatype')}"
                  for side in ("send", "recv"))
    before = ["pl_pair(pl_peer(dest), pl_tag(sendtag))", f"dest == MPI_PROC_NULL ? 0 : pl_bytes({send})",
              "pl_pair(c->id, 0)", "pl_pair(pl_peer(source), pl_tag(recvtag))", f"pl_bytes({recv})", "0"]
    after = ["call.r->payload[4] = result == MPI_SUCCESS ? pl_status_bytes(used) : 0;",
             "call.r->payload[5] = pl_matched(result, used);"]
    return looked, before, call, after


def wrap_probe(f):
    looked = []
    comm_of(f, looked)
    call = status_of(f, looked)
    before = ["pl_pair(pl_peer(source), pl_tag(tag))", "0", "pl_pair(c->id, 0)", "0", "0"]
    after = ["call.r->payload[1] = result == MPI_SUCCESS ? pl_status_bytes(used) : 0;",
             "call.r->payload[3] = pl_matched(result, used);",
             "call.r->payload[4] = pl_pair(result == MPI_SUCCESS, 0);"]
    return looked, before, call, after


def wrap_collective(f):
    looked = []
    comm_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_OTHER")
    looked.append("struct pl_volume v = {0};")
    looked.append(f"pl_volume_{f.shape}({', '.join(['&v', 'c'] + SHAPES[f.shape].split())});")
    root = "pl_root(root)" if f.has("root") else "(uint32_t)-1"
    before = [f"pl_pair(c->id, {root})"]
    if f.shape in LISTING:
        looked.append("unsigned ns = pl_listed(c, &v.to), nr = pl_listed(c, &v.from);")
        before.append(f"LISTS {request}, ns, nr")
    elif f.has("request"):
        before += ["v.sent", "v.received", f"pl_pair({request}, 0)", "0"]
    else:
        before += ["v.sent", "v.received"]
    return looked, before, f.call, after


def wrap_comm(f):
    looked = []
    comm_of(f, looked)
    looked.append("uint32_t parent = c->id;")
    after = ["t->outer = call.r; /* its segment must stay while the definition may begin another one */",
             "if (result == MPI_SUCCESS) call.r->payload[1] = pl_pair(pl_new_comm(t, *newcomm, parent)->id, 0);",
             "t->outer = NULL;"]
    return looked, ["pl_pair(parent, 0)", "pl_pair(PL_COMM_NULL, 0)"], f.call, after


def wrap_file(f):
    return ["uint32_t id = pl_file_id(fh);"], ["pl_pair(id, 0)"], f.call, []


def access_flags(f):
    words = f.short.split("_")
    flags = []
    if any(word in ("write", "iwrite") for word in words):
        flags.append("PL_ACCESS_WRITE")
    if "all" in words or "ordered" in words:
        flags.append("PL_ACCESS_COLLECTIVE")
    if "at" in words:
        flags.append("PL_ACCESS_EXPLICIT")
    if "shared" in words or "ordered" in words:
        flags.append("PL_ACCESS_SHARED")
    if f.has("request"):
        flags.append("PL_ACCESS_NONBLOCKING")
    return " | ".join(flags) or "0u"


def wrap_file_access(f):
    flags = access_flags(f)
    looked = ["uint32_t id = pl_file_id(fh);"]
    if f.has("offset"):
        offset = "(uint64_t)offset"
    elif "SHARED" in flags:
        offset = "UINT64_MAX"
    else:
        looked.append("uint64_t position = pl_file_position(fh);")
        offset = "position"
    call = status_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_FILE")
    before = [f"pl_pair(id, {flags})", offset, "pl_bytes(count, datatype)", "0", f"pl_pair({request}, 0)"]
    failed = f"call.r->payload[0] = pl_pair(id, {flags} | PL_ACCESS_FAILED);"
    if f.has("status"):
        after.append("if (result == MPI_SUCCESS) call.r->payload[3] = pl_status_bytes(used);")
    elif not f.has("request"):
        after.append("if (result == MPI_SUCCESS) call.r->payload[3] = call.r->payload[2];")
    after.append(f"if (result != MPI_SUCCESS) {failed}")
    return looked, before, call, after


WRAPPERS = {"NONE": wrap_none, "SEND": wrap_send, "RECV": wrap_recv, "SENDRECV": wrap_sendrecv, "PROBE": wrap_probe,
            "COLLECTIVE": wrap_collective, "COMM": wrap_comm, "FILE": wrap_file, "FILE_ACCESS": wrap_file_access}


def wrapper(f):
    looked, before, call, after = WRAPPERS[f.layout](f)
    file_call = "_file" if f.short.startswith("File_") else ""
    lists = [word for word in before if word.startswith("LISTS ")]
    words = "5 + ns + nr" if lists else str(len(before))
    lines = [f"int pl_wrap_{f.short}({f.arguments}) {{",
             "  struct pl_thread* t = pl_enter();",
             f"  if (t == NULL) return PL_REAL({f.short})({', '.join(f.names)});"]
    lines += [f"  {line}" for line in looked]
    lines.append(f"  struct pl_call call = pl_prepare(t, {f.number}, {words}, __builtin_return_address(0));")
    for i, word in enumerate(before):
        if word.startswith("LISTS "):
            lines.append(f"  pl_write_lists(&call, c, &v, {word[len('LISTS '):]});")
        else:
            lines.append(f"  call.r->payload[{i}] = {word};")
    lines.append(f"  pl_start{file_call}(t, &call);")
    lines.append(f"  int result = {call};")
    lines.append(f"  pl_stamp{file_call}(t, &call);")
    lines += [f"  {line}" for line in after]
    lines += ["  pl_done(&call);", "  pl_leave(t);", "  return result;", "}", ""]
    return "\n".join(lines)


NOTE = "/* Made by generate.py from mpi_functions.table. */\n"


def table_header(functions):
    numbered = [f for f in functions if f.kind != "CALL"]
    real = [f for f in functions if f.is_mpi]
    lines = [NOTE, "#ifndef PLUMBLINE_MPI_TABLE_H", "#define PLUMBLINE_MPI_TABLE_H", "", "#include <stddef.h>",
             "#include <stdint.h>", "", "enum pl_function {", "  PL_F_NONE = 0,"]
    lines += [f"  {f.number}," for f in numbered]
    lines += ["  PL_F_COUNT", "};", "extern const char* const pl_function_names[PL_F_COUNT];",
              "extern const uint8_t pl_function_layouts[PL_F_COUNT];", "", "#ifdef MPI_VERSION", "struct pl_mpi {"]
    lines += [f"  int (*{f.short})({f.arguments or 'void'});" for f in real]
    lines += ["};", "extern const struct pl_mpi_function {", "  const char* name; /* PMPI_ */",
              "  size_t offset;    /* in struct pl_mpi */", "} pl_mpi_functions[];",
              "extern const size_t pl_mpi_function_count;", ""]
    lines += [f"int pl_wrap_{f.short}({f.arguments or 'void'});" for f in real if f.has_entry]
    lines += ["#endif", "", "#endif", ""]
    return "\n".join(lines)


def table_source(functions):
    numbered = [f for f in functions if f.kind != "CALL"]
    real = [f for f in functions if f.is_mpi]
    lines = [NOTE, '#include "tracer/preload/mpi_side.h"', "", "const char* const pl_function_names[PL_F_COUNT] = {"]
    lines += [f'    [{f.number}] = "{f.name}",' for f in numbered]
    lines += ["};", "const uint8_t pl_function_layouts[PL_F_COUNT] = {"]
    lines += [f"    [{f.number}] = PL_LAYOUT_{f.layout}," for f in numbered]
    lines += ["};", "const struct pl_mpi_function pl_mpi_functions[] = {"]
    lines += [f'    {{"P{f.name}", offsetof(struct pl_mpi, {f.short})}},' for f in real]
    lines += ["};", f"const size_t pl_mpi_function_count = {len(real)};", ""]
    return "\n".join(lines)


# What the program calls. While nothing is recorded a call passes on as whole words, whatever the handles of its MPI are:
# in front of another MPI than ours (then nothing ever is) arguments arrive as they came. Every argument of a C MPI
# function takes one integer register or one word of the stack.
ENTRIES = """typedef intptr_t pl_word;

/* Jumps, so that wrappers find the arguments where they were and the return address of the program. */
#if defined(__x86_64__)
_Static_assert(offsetof(struct pl_process, recording) == 0, "read by the entries");
#define PL_ENTRY(name)                                                                                    \\
  __asm__(".pushsection .text\\n.hidden pl, pl_wrap_" #name ", pl_pass_" #name "\\n.globl MPI_" #name "\\n" \\
          ".type MPI_" #name ", @function\\n.p2align 4\\nMPI_" #name ":\\n.cfi_startproc\\n"               \\
          "cmpl $0, pl(%rip)\\njne pl_wrap_" #name "\\njmp pl_pass_" #name "\\n"                           \\
          ".cfi_endproc\\n.size MPI_" #name ", .-MPI_" #name "\\n.popsection")
#endif
"""
ENTRY = """PL_COLD pl_word pl_pass_{short}({declared});
pl_word pl_pass_{short}({declared}) {{
  return ((pl_word(*)({types}))(void (*)(void))PL_REAL({short}))({passed});
}}
#if defined(PL_ENTRY)
PL_ENTRY({short});
#else /* the compiler makes these calls jumps */
PL_EXPORT pl_word pl_entry_{short}({declared}) __asm__("{name}");
extern pl_word pl_inner_{short}({declared}) __asm__("pl_wrap_{short}");
pl_word pl_entry_{short}({declared}) {{
  return PL_LIKELY(pl.recording) ? pl_inner_{short}({passed}) : pl_pass_{short}({passed});
}}
#endif
"""


def entry(f):
    words = [f"a{i}" for i in range(len(f.names))]
    return ENTRY.format(name=f.name, short=f.short, declared=", ".join(f"pl_word {word}" for word in words) or "void",
                        types=", ".join(["pl_word"] * len(words)) or "void", passed=", ".join(words))


def main():
    functions = parse(pathlib.Path(sys.argv[1]))
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    (out / "plumbline_mpi_table.h").write_text(table_header(functions))
    (out / "plumbline_mpi_table.c").write_text(table_source(functions))
    wrappers = [NOTE, '#include "tracer/preload/collectives.h"', '#include "tracer/preload/mpi_side.h"', ""]
    wrappers += [wrapper(f) for f in functions if f.kind == "WRAP"]
    (out / "plumbline_mpi_wrappers.c").write_text("\n".join(wrappers))
    entries = [NOTE, '#include "tracer/preload/mpi_side.h"', "", ENTRIES]
    entries += [entry(f) for f in functions if f.has_entry]
    (out / "plumbline_mpi_entries.c").write_text("\n".join(entries))


main()
