#!/usr/bin/env python3
"""Makes the MPI wrappers and the table of functions from mpi_functions.table.

usage: generate.py mpi_functions.table OUTPUT_DIRECTORY
writes plumbline_mpi_table.h, plumbline_mpi_table.c, plumbline_mpi_wrappers.c and plumbline_mpi_entries.c; the same
input gives the same output. What is of MPI 4 stands behind #if MPI_VERSION >= 4.
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

# Arguments that are int in MPI_X and of another type in MPI_X_c.
LARGE = {name: large for large, names in
         {"MPI_Count": "count sendcount recvcount sendcounts recvcounts origin_count target_count result_count",
          "MPI_Aint": "displs sdispls rdispls disp_unit"}.items() for name in names.split()}


@dataclass
class Function:
    name: str
    layout: str = "NONE"
    shape: str = ""
    kind: str = "WRAP"  # or HAND, INIT, CALL
    arguments: str = ""  # as declared
    names: list = field(default_factory=list)
    is_mpi: bool = True
    version: int = 3  # of MPI, that has it

    @property
    def short(self):
        return self.name[len("MPI_"):]

    @property
    def number(self):
        return "PL_F_" + re.sub(r"\W+", "_", self.name).strip("_")

    @property
    def is_wrapped(self):
        return self.is_mpi and self.kind != "CALL"

    @property
    def has_entry(self):
        """What makes recording begin is exported by hand."""
        return self.is_wrapped and self.short not in ("Init", "Init_thread", "Pcontrol")

    @property
    def record_layout(self):
        return "NONE" if self.kind == "INIT" else self.layout

    @property
    def keeps_tables(self):
        """What it makes, completes or frees is known later on, even if it is not recorded itself."""
        makes = self.has("request") or self.has("newcomm") or self.has("message")
        return self.kind in ("HAND", "INIT") or self.layout == "WIN" or (makes and self.layout != "NONE")

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
    named = [one.strip() for one in arguments.split(",") if one.strip() != "..."]
    return [re.search(r"(\w+)\s*(\[\])?$", one).group(1) for one in named]


def parse(path, version=3):
    """The lines of the table, those of later versions of MPI left out."""
    functions = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.match(r"(?:(MPI4)\s+)?(?:(HAND|INIT|CALL)\s+)?(?:([A-Z_]+)\s+)?(?:([a-z_]+)\s+)?"
                         r"(MPI_\w+)\((.*)\)$", line)
        if match:
            later, kind, layout, shape, name, arguments = match.groups()
            if shape and shape not in SHAPES:
                sys.exit(f"{path}:{number}: shape '{shape}' is unknown; add it to generate.py and collectives.h")
            needs = 4 if later else 3
            if needs <= version:
                functions.append(Function(name, layout or "NONE", shape or "", kind or "WRAP", arguments,
                                          argument_names(arguments), version=needs))
            continue
        match = re.match(r"HAND\s+((?:POSIX|INNER)_\w+)\s+(.+)$", line)
        if not match:
            sys.exit(f"{path}:{number}: not of the form 'layout [shape] MPI_Name(arguments)'")
        functions.append(Function(match.group(2).strip(), match.group(1), kind="HAND", is_mpi=False))
    return functions


# ---- What follows from a line by rule, all of MPI 4

def persistent_form(f):
    """MPI_X_init of the blocking collective MPI_X."""
    if f.layout not in ("COLLECTIVE", "NEIGHBOUR") or f.has("request"):
        return None
    arguments = f.arguments + ", MPI_Info info, MPI_Request *request"
    return Function(f.name + "_init", f.layout, f.shape, "INIT", arguments, argument_names(arguments), version=4)


def large_form(f):
    """MPI_X_c: what counts elements or bytes of a datatype, or scales displacements, is large."""
    if f.kind not in ("WRAP", "INIT") or not ("MPI_Datatype" in f.arguments or f.has("disp_unit")):
        return None
    each = [one.strip() for one in f.arguments.split(",")]
    large = ", ".join(re.sub(r"\bint\b", LARGE.get(name, "int"), one) for one, name in zip(each, f.names))
    if large == f.arguments:
        return None
    return Function(f.name + "_c", f.layout, f.shape, f.kind, large, f.names, version=4)


def with_derived(functions):
    for rule in (persistent_form, large_form):
        functions = functions + [derived for derived in map(rule, functions) if derived]
    return functions


# ---- Wrappers: per layout what is looked up first (it may define something), the words before the call and after it.

@dataclass
class Fill:
    """Words that are written together."""
    statement: str  # {} is the payload
    words: str      # their number

def status_of(f, looked):
    """The status to pass on: ours where the program ignores it."""
    if not f.has("status"):
        return f.call
    looked.append("MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;")
    return f"pl_mpi.{f.short}({', '.join('used' if n == 'status' else n for n in f.names)})"


def request_of(f, looked, kind, posted="pl_posted_unknown"):
    if not f.has("request") or f.kind == "INIT":  # an active request: a persistent one has none before it is started
        return "0", []
    looked.append("uint32_t request_id = pl_request_id();")
    return "request_id", [f"if (request != NULL) pl_keep_posted(result, *request, request_id, {kind}, {posted});"]


def posted_receive(f, looked, posted, count, datatype):
    """What a receive is posted with, looked at once."""
    if not f.has("request") or f.kind == "INIT":
        return posted, f"pl_bytes({count}, {datatype})", "pl_posted_unknown"
    looked.append(f"struct pl_posted posted = {{{posted}, pl_bytes({count}, {datatype})}};")
    return "posted.peer", "posted.bytes", "posted"


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
    if f.has("message"):
        looked.append("struct pl_matched_message m = pl_take_message(message);")
        posted, comm = "m.posted", "m.comm"
    else:
        comm_of(f, looked)
        posted, comm = "pl_pair(pl_peer(source), pl_tag(tag))", "c->id"
    call = status_of(f, looked)
    if f.has("status"):
        before = [Fill(f"pl_begin_meeting(&call, {posted}, pl_bytes(count, datatype), {comm});", "3")]
        return looked, before, call, ["pl_end_receive(&call, result, used);"]
    posted, size, known = posted_receive(f, looked, posted, "count", "datatype")
    request, after = request_of(f, looked, "PL_REQUEST_RECV", known)
    return looked, [posted, size, f"pl_pair({comm}, {request})"], call, after


def both_buffers(f):
    return (f"{f.first(side + 'count', 'count')}, {f.first(side + 'type', 'datatype')}" for side in ("send", "recv"))


def wrap_sendrecv(f):
    looked = []
    comm_of(f, looked)
    call = status_of(f, looked)
    send, recv = both_buffers(f)
    looked += ["struct pl_exchange e = {.dest = pl_peer(dest), .sendtag = pl_tag(sendtag), .source = pl_peer(source),",
               "                        .recvtag = pl_tag(recvtag), .comm = c->id};",
               f"if (dest != MPI_PROC_NULL) e.sent = pl_bytes({send});",
               f"e.room = dest == MPI_PROC_NULL ? pl_bytes({recv}) : pl_bytes_after({recv}, {send}, e.sent);"]
    before = [Fill("pl_begin_exchange(&call, &e);", "pl_exchange_words(&e)")]
    return looked, before, call, ["pl_end_exchange(&call, result, used);"]


def wrap_isendrecv(f):
    looked = []
    comm_of(f, looked)
    looked.append("uint32_t send_id = pl_request_id();")
    send, recv = both_buffers(f)
    posted, room, known = posted_receive(f, looked, "pl_pair(pl_peer(source), pl_tag(recvtag))", *recv.split(", "))
    request, after = request_of(f, looked, "PL_REQUEST_ISENDRECV", known)
    before = ["pl_pair(pl_peer(dest), pl_tag(sendtag))", f"dest == MPI_PROC_NULL ? 0 : pl_bytes({send})",
              "pl_pair(c->id, send_id)", posted, room, f"pl_pair(c->id, {request})"]
    return looked, before, f.call, after


def wrap_probe(f):
    looked = []
    comm_of(f, looked)
    call = status_of(f, looked)
    looked.append("uint64_t posted = pl_pair(pl_peer(source), pl_tag(tag));")
    before = [Fill("pl_begin_meeting(&call, posted, 0, c->id);", "3")]
    after = ["pl_end_found(&call, result == MPI_SUCCESS, used);"]
    if f.has("message"):
        after.append("if (result == MPI_SUCCESS) pl_keep_message(*message, posted, c->id);")
    return looked, before, call, after


def wrap_collective(f):
    looked = []
    comm_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_OTHER")
    looked.append("struct pl_volume v = {0};")
    arguments = [f"PL_COUNTS({name})" if name.endswith("counts") else name for name in SHAPES[f.shape].split()]
    looked.append(f"pl_volume_{f.shape}({', '.join(['&v', 'c'] + arguments)});")
    root = "pl_root(root)" if f.has("root") else "(uint32_t)-1"
    if f.shape in LISTING or f.has("request"):
        looked.append(f"struct pl_moved m = pl_moved_by(c, &v, {root}, {request});")
        if f.kind == "INIT":  # a definition: in the shape of the layout
            looked.append("m.packed = 0;")
            return looked, [Fill("pl_write_wide_moved({}, &m, &v);", "pl_moved_words(&m)")], f.call, after
        before = [Fill("pl_write_moved(&call, &m, &v);", "pl_moved_words(&m)")]
        if f.shape in LISTING:
            after = after + ["pl_keep_vectors(&m);"]
    else:
        before = [f"pl_pair(c->id, {root})", "v.sent", "v.received"]
    return looked, before, f.call, after


def wrap_neighbour(f):
    looked = []
    comm_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_OTHER")
    looked.append("struct pl_neighbours n = pl_neighbours_of(t, comm, c);")
    for side, blocks in (("send", "to"), ("recv", "from")):
        if f.has(side + "types"):
            of = f"pl_blocks_of_types(PL_COUNTS({side}counts), {side}types)"
        elif f.has(side + "counts"):
            of = f"pl_blocks_listed(PL_COUNTS({side}counts), {side}type)"
        else:
            of = f"pl_blocks_equal({side}count, {side}type)"
        looked.append(f"struct pl_blocks {blocks} = {of};")
    before = [f"pl_pair(c->id, {request})", Fill("pl_write_blocks({}, &n, &to, &from);", "2 + n.to + n.from")]
    return looked, before, f.call, after


def wrap_comm(f):
    looked, parent = [], "PL_COMM_NULL"
    if any(f.has(name) for name in ("comm", "comm_old", "local_comm", "intercomm")):
        comm_of(f, looked)
        parent = "c->id"
    looked.append(f"uint32_t parent = {parent};")
    request, after = request_of(f, looked, "PL_REQUEST_OTHER")
    of_group = "_group" in f.short
    new = f"pl_new_comm{'_of_group' if of_group else ''}(t, *newcomm, parent)"
    if f.has("request"):
        new = "pl_copy_comm(t, *newcomm, comm, c)"
    after.append(f"if (result == MPI_SUCCESS) call.r->payload[1] = pl_pair({new}->id, 0);")
    return looked, [f"pl_pair(parent, {request})", "pl_pair(PL_COMM_NULL, 0)"], f.call, after


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


def writes(f):
    """A write that ends without an error has written everything: its status may be ignored."""
    return f.layout == "FILE_ACCESS" and "WRITE" in access_flags(f)


def bytes_done(f, record):
    if f.has("status") and not writes(f):
        return "pl_status_bytes(used)"
    if f.has("status"):
        return f"status == MPI_STATUS_IGNORE ? {record}->payload[2] : pl_status_bytes(status)"
    return "0" if f.has("request") else f"{record}->payload[2]"


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
    call = f.call if writes(f) else status_of(f, looked)
    request, after = request_of(f, looked, "PL_REQUEST_FILE", "((struct pl_posted){UINT64_MAX, a.asked})")
    looked.append(f"struct pl_accessing a = {{{offset}, pl_bytes(count, datatype), id, {flags}, {request}}};")
    after.append(f"pl_end_access(&call, {flags}, result, {bytes_done(f, 'call.r')});")
    return looked, [Fill("pl_begin_access(&call, &a);", "pl_access_words(&a)")], call, after


WIN_KINDS = {"Win_create": "PL_WIN_CREATE", "Win_allocate": "PL_WIN_ALLOCATE",
             "Win_allocate_shared": "PL_WIN_ALLOCATE_SHARED", "Win_create_dynamic": "PL_WIN_DYNAMIC"}


def wrap_win(f):
    looked = []
    comm_of(f, looked)
    kind = WIN_KINDS[f.short.removesuffix("_c")]
    size, unit = ("(uint64_t)size", "(uint64_t)disp_unit") if f.has("size") else ("0", "1")
    before = [f"pl_pair(c->id, {kind})", size, unit, "0"]
    after = ["if (result == MPI_SUCCESS) call.r->payload[3] = pl_pair(pl_new_win(t, *win, call.r->payload), 0);"]
    return looked, before, f.call, after


def assertion_of(f):
    return "pl_assertion(assertion)" if f.has("assertion") else "0"


def wrap_win_sync(f):
    rank = "pl_peer(rank)" if f.has("rank") else "(uint32_t)-1"
    lock = "pl_lock_type(lock_type)" if f.has("lock_type") else "PL_LOCK_NONE"
    if f.short == "Win_lock_all":
        lock = "PL_LOCK_SHARED"
    return [], [f"pl_pair(pl_win_id(win), {rank})", f"pl_pair({assertion_of(f)}, {lock})"], f.call, []


def wrap_win_group(f):
    looked = ["struct pl_ranks ranks = pl_ranks_of_group(t, group);"]
    before = [f"pl_pair(pl_win_id(win), {assertion_of(f)})",
              Fill("pl_write_ranks({} + 1, &ranks);", "2 + (ranks.n + 1) / 2")]
    return looked, before, f.call, []


def wrap_win_attach(f):
    size = "(uint64_t)size" if f.has("size") else "0"
    return [], ["pl_pair(pl_win_id(win), 0)", "(uint64_t)(uintptr_t)base", size], f.call, []


def data_of(side, prefix=""):
    return f"{prefix}{side} = pl_data_of(t, {side}_count, {side}_datatype);"


def described_data(f):
    """Of each buffer what there is; not looked at where MPI ignores it, as the origin of MPI_NO_OP."""
    if not f.has("origin_datatype"):  # one element in each
        return ["target = fetched = pl_data_of(t, 1, datatype);", "if (operation != PL_OP_NO_OP) origin = target;"]
    if f.has("result_datatype"):
        return ["if (operation != PL_OP_NO_OP) " + data_of("origin"), data_of("target"),
                "fetched = pl_data_of(t, result_count, result_datatype);"]
    same = "target_datatype == origin_datatype && target_count == origin_count"
    return [data_of("origin"),
            f"target = {same} ? origin : pl_data_of(t, target_count, target_datatype);"]


def wrap_rma(f):
    fetches = f.has("result_addr")
    looked = [f"struct pl_data origin = {{0}}, target = {{0}}{', fetched = {0}' if fetches else ''};",
              f"uint32_t operation = {'pl_op(op)' if f.has('op') else 'PL_OP_NONE'};",
              "if (target_rank != MPI_PROC_NULL) {", *[f"  {line}" for line in described_data(f)], "}"]
    request, after = request_of(f, looked, "PL_REQUEST_OTHER")
    before = ["pl_pair(pl_peer(target_rank), operation)", "(uint64_t)target_disp", "origin.bytes", "target.bytes",
              f"pl_pair(pl_win_id(win), {request})", "pl_pair(origin.type, target.type)"]
    if fetches:
        before += ["fetched.bytes", "pl_pair(fetched.type, 0)"]
    return looked, before, f.call, after


WRAPPERS = {"NONE": wrap_none, "SEND": wrap_send, "RECV": wrap_recv, "SENDRECV": wrap_sendrecv,
            "ISENDRECV": wrap_isendrecv, "PROBE": wrap_probe, "COLLECTIVE": wrap_collective,
            "NEIGHBOUR": wrap_neighbour, "COMM": wrap_comm, "FILE": wrap_file, "FILE_ACCESS": wrap_file_access,
            "WIN": wrap_win, "WIN_SYNC": wrap_win_sync, "WIN_GROUP": wrap_win_group, "WIN_ATTACH": wrap_win_attach,
            "RMA": wrap_rma}


def number_of(before):
    fills = [word.words for word in before if isinstance(word, Fill)]
    return fills[0] if fills else str(len(before))


def halves(word):
    """Of pl_pair(low, high); None of another word."""
    if not word.startswith("pl_pair("):
        return None
    depth = 0
    for at, character in enumerate(inside := word[len("pl_pair("):-1]):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            return inside[:at], inside[at + 1:].strip()


def written(payload, i, word):
    """A pair by halves: one that has been on the stack meanwhile would be read from there in another width, which stalls."""
    pair = halves(word)
    return f"pl_set_halves(&{payload}[{i}], {pair[0]}, {pair[1]});" if pair else f"{payload}[{i}] = {word};"


def fill(payload, before):
    return [word.statement.format(payload) if isinstance(word, Fill) else written(payload, i, word)
            for i, word in enumerate(before)]


def wrap_init(f):
    """The call's record has its time only; the words of a start are a definition."""
    looked, before, call, _ = WRAPPERS[f.layout](f)
    kind = "PL_REQUEST_RECV" if f.layout == "RECV" else "PL_REQUEST_OTHER"
    words = number_of(before)
    after = ["if (result == MPI_SUCCESS) {", "  uint64_t begin = pl_ticks();",
             f"  uint64_t* start = pl_define_persistent(t, *request, {f.number}, PL_LAYOUT_{f.layout}, {kind},",
             f"                                         {words});"]
    after += [f"  {line}" for line in fill("start", before)]
    after += [f"  pl_persistent_defined(t, start, {words}, begin);", "}"]
    return looked, [], call, after


def wrapper(f):
    looked, before, call, after = wrap_init(f) if f.kind == "INIT" else WRAPPERS[f.layout](f)
    begin, stamp = ("begin_file", "stamp_file") if f.short.startswith("File_") else ("begin_call", "stamp")
    short = short_of(f)
    lines = [f"static PL_NOINLINE int pl_long_{f.short}({f.arguments}, void* address) {{" if short else
             f"int pl_wrap_{f.short}({f.arguments}) {{",
             "  struct pl_thread* t = pl_enter();",
             f"  if (t == NULL) return PL_REAL({f.short})({', '.join(f.names)});"]
    lines += [f"  {line}" for line in looked]
    address = "address" if short else "__builtin_return_address(0)"
    lines.append(f"  struct pl_call call = pl_prepare(t, {f.number}, {number_of(before)}, {address});")
    lines += [f"  {line}" for line in fill("call.r->payload", before)]
    lines.append(f"  pl_{begin}(t, &call);")
    lines.append(f"  int result = {call};")
    lines.append(f"  pl_{stamp}(t, &call);")
    lines.append("  pl_done(&call);" if f.kind == "INIT" else "")
    lines += [f"  {line}" for line in after]
    lines.append("" if f.kind == "INIT" else "  pl_done_as_begun(call.r);")
    lines.append("  pl_note_result_in(call.r, result);")
    lines += ["  pl_end_call(t);", "  return result;", "}"]
    lines += short_wrapper(f, short) if short else []
    return "\n".join(guarded(f, ["\n".join(line for line in lines if line)])) + "\n"


# ---- The fast path, in front of the wrapper of the same call (fast_calls.h)

@dataclass
class Short:
    words: str  # writes what is known before the call
    end: str = ""  # what is written after the call
    packed: bool = True


def short_message(f):
    peer = "dest" if f.has("dest") else "source"
    return f"pl_short_message(t, r, count, datatype, {peer}, tag, comm)"


def short_of(f):
    """Of the blocking calls that are made most; None: there is the slow path only."""
    if f.kind != "WRAP" or f.short.endswith("_c") or f.has("request") or f.has("message"):
        return None
    if f.layout == "SEND":
        return Short(short_message(f), packed=False)
    if f.layout == "RECV":
        return Short(short_message(f), "pl_short_end_receive(r, result, used);")
    if f.layout == "SENDRECV":
        send, recv = both_buffers(f)
        return Short(f"pl_short_exchange(t, r, {send}, dest, sendtag, {recv}, source, recvtag, comm)",
                     "pl_short_end_exchange(r, result, used);")
    if f.layout == "FILE_ACCESS" and f.has("offset") and f.has("status"):
        return Short(f"pl_short_access(t, r, fh, offset, count, datatype, {access_flags(f)})",
                     f"pl_short_end_access(r, result, {bytes_done(f, 'r')});")
    return None


def short_wrapper(f, short):
    """What the entry jumps to."""
    looked = []
    call = f.call if writes(f) or not f.has("status") else status_of(f, looked)
    begin, stamp = ("begin_file", "stamp_file") if f.short.startswith("File_") else ("begin_call", "stamp")
    packed = "PL_PACKED" if short.packed else "0"
    lines = [f"int pl_wrap_{f.short}({f.arguments}) {{", "  struct pl_thread* t = &pl_self;",
             "  void* address = __builtin_return_address(0);"]
    lines += [f"  {line}" for line in looked]
    long_way = f"return pl_long_{f.short}({', '.join(f.names)}, address);"
    lines += ["  struct pl_record* r = pl_short_room_of_call(t);", f"  if (PL_UNLIKELY(r == NULL)) {long_way}",
              f"  if (PL_UNLIKELY(!{short.words} ||",
              f"                  !pl_short_{begin}(t, r, {f.number}, {packed}, address))) {{",
              "    pl_short_give_up(t, r, PL_OUTSIDE);", f"    {long_way}", "  }",
              f"  int result = {call};", f"  pl_short_{stamp}(t, r);", f"  {short.end}", "  pl_short_done(r);",
              "  pl_note_result_in(r, result);",
              "  pl_end_call(t);", "  return result;", "}"]
    return [line for line in lines if line.strip()]


def guarded(f, lines):
    return lines if f.version <= 3 else [f"#if MPI_VERSION >= {f.version}", *lines, "#endif"]


def listed(functions, line):
    """A line for each function, those of later versions of MPI guarded together."""
    lines = [line(f) for f in functions if f.version <= 3]
    later = [line(f) for f in functions if f.version > 3]
    return lines + (["#if MPI_VERSION >= 4", *later, "#endif"] if later else [])


NOTE = "/* Made by generate.py from mpi_functions.table. */\n"


def table_header(functions):
    numbered = [f for f in functions if f.kind != "CALL"]
    real = [f for f in functions if f.is_mpi]
    lines = [NOTE, "#ifndef PLUMBLINE_MPI_TABLE_H", "#define PLUMBLINE_MPI_TABLE_H", "", "#include <stddef.h>",
             "#include <stdint.h>", "", "enum pl_function {", "  PL_F_NONE = 0,"]
    lines += [f"  {f.number}," for f in numbered]
    lines += ["  PL_F_COUNT", "};", "extern const char* const pl_function_names[PL_F_COUNT];",
              "extern const uint8_t pl_function_layouts[PL_F_COUNT];", "", "#ifdef MPI_VERSION", "struct pl_mpi {"]
    lines += listed(real, lambda f: f"  int (*{f.short})({f.arguments or 'void'});")
    lines += ["};", "extern const struct pl_mpi_function {", "  const char* name; /* PMPI_ */",
              "  size_t offset;    /* in struct pl_mpi */",
             "  void* through;    /* of what is wrapped: to a layer behind us (layers.h) */", "} pl_mpi_functions[];",
              "extern const size_t pl_mpi_function_count;", ""]
    lines += listed([f for f in real if f.has_entry], lambda f: f"int pl_wrap_{f.short}({f.arguments or 'void'});")
    lines += ["#endif", "", "#endif", ""]
    return "\n".join(lines)


# Names and layouts alone, for the library that is built without an MPI.
def posix_table_source(functions):
    posix = [f for f in functions if not f.is_mpi]
    lines = [NOTE, '#include "plumbline_mpi_table.h"', '#include "tracer/spool/format/format.h"', "",
             "const char* const pl_function_names[PL_F_COUNT] = {"]
    lines += [f'    [{f.number}] = "{f.name}",' for f in posix]
    lines += ["};", "const uint8_t pl_function_layouts[PL_F_COUNT] = {"]
    lines += [f"    [{f.number}] = PL_LAYOUT_{f.record_layout}," for f in posix]
    return "\n".join(lines + ["};", ""])


def table_source(functions):
    numbered = [f for f in functions if f.kind != "CALL"]
    real = [f for f in functions if f.is_mpi]
    lines = [NOTE, '#include "tracer/preload/mpi/mpi_side.h"', ""]
    lines += listed([f for f in real if f.is_wrapped], lambda f: f"void pl_through_{f.short}(void);")
    lines += ["", "const char* const pl_function_names[PL_F_COUNT] = {"]
    lines += listed(numbered, lambda f: f'    [{f.number}] = "{f.name}",')
    lines += ["};", "const uint8_t pl_function_layouts[PL_F_COUNT] = {"]
    lines += [f"    [{f.number}] = PL_LAYOUT_{f.record_layout}," for f in numbered]
    lines += ["};", "const struct pl_mpi_function pl_mpi_functions[] = {"]
    through = {f.short: f"(void*)pl_through_{f.short}" for f in real if f.is_wrapped}
    lines += listed(real, lambda f: f'    {{"P{f.name}", offsetof(struct pl_mpi, {f.short}), '
                                    f'{through.get(f.short, "NULL")}}},')
    lines += ["};", "const size_t pl_mpi_function_count = sizeof pl_mpi_functions / sizeof pl_mpi_functions[0];", ""]
    lines += ["/* Older libraries have other const: only where the build says that this one is exact. */",
              "#if defined(PLUMBLINE_EXACT_PROTOTYPES)",
              "#define PL_SAME(name) \\",
              "  _Static_assert(__builtin_types_compatible_p(__typeof__(MPI_##name), __typeof__(*pl_mpi.name)), #name)"]
    lines += listed(real, lambda f: f"PL_SAME({f.short});")
    lines += ["#endif", ""]
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
PASS = """PL_COLD pl_word pl_pass_{short}({declared});
pl_word pl_pass_{short}({declared}) {{
  pl_word result = ((pl_word(*)({types}))(void (*)(void))PL_REAL({short}))({passed});
  if (PL_UNLIKELY(pl.awaited)) pl_look_at_window();
  return result;
}}
"""
# Through the wrapper while MPI_Pcontrol has switched recording off.
KEEP = """PL_COLD pl_word pl_pass_{short}({declared});
extern pl_word pl_inner_{short}({declared}) __asm__("pl_wrap_{short}");
pl_word pl_pass_{short}({declared}) {{
  if (!pl.paused || !pl_divert()) return ((pl_word(*)({types}))(void (*)(void))PL_REAL({short}))({passed});
  pl_word result = pl_inner_{short}({passed});
  pl_undivert();
  if (PL_UNLIKELY(pl.awaited)) pl_look_at_window();
  return result;
}}
"""
# In the place of the real function, where there is another layer behind us (layers.h).
THROUGH = """PL_COLD pl_word pl_through_{short}({declared});
pl_word pl_through_{short}({declared}) {{
  struct pl_mpi* where = pl_past_layers ? &pl_library : &pl_layers;
  pl_past_layers = 0;
  return ((pl_word(*)({types}))(void (*)(void))where->{short})({passed});
}}
"""
ENTRY = """#if defined(PL_ENTRY)
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
    text = THROUGH + ((KEEP if f.keeps_tables else PASS) + ENTRY if f.has_entry else "")
    text = text.format(name=f.name, short=f.short, declared=", ".join(f"pl_word {word}" for word in words) or "void",
                       types=", ".join(["pl_word"] * len(words)) or "void", passed=", ".join(words))
    return "\n".join(guarded(f, [text]))


def main():
    functions = with_derived(parse(pathlib.Path(sys.argv[1]), version=4))
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    (out / "plumbline_mpi_table.h").write_text(table_header(functions))
    (out / "plumbline_mpi_table.c").write_text(table_source(functions))
    (out / "plumbline_posix_table.c").write_text(posix_table_source(functions))
    wrappers = [NOTE, '#include "tracer/preload/mpi/calls/collectives.h"', '#include "tracer/preload/mpi/mpi_side.h"',
                '#include "tracer/preload/mpi/calls/packed.h"', '#include "tracer/preload/mpi/calls/rma.h"',
                '#include "tracer/preload/mpi/calls/fast_calls.h"', ""]
    wrappers += [wrapper(f) for f in functions if f.kind in ("WRAP", "INIT")]
    (out / "plumbline_mpi_wrappers.c").write_text("\n".join(wrappers))
    entries = [NOTE, '#include "tracer/preload/mpi/symbols/layers.h"', '#include "tracer/preload/mpi/mpi_side.h"', "", ENTRIES]
    entries += [entry(f) for f in functions if f.is_wrapped]
    (out / "plumbline_mpi_entries.c").write_text("\n".join(entries))


if __name__ == "__main__":
    main()
