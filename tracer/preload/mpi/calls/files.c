/* MPI files: opening, views, hints, seeking. Accesses are generated. */
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"

_Static_assert(MPI_MODE_CREATE == 1 && MPI_MODE_RDONLY == 2 && MPI_MODE_WRONLY == 4 && MPI_MODE_RDWR == 8 &&
                   MPI_MODE_DELETE_ON_CLOSE == 16 && MPI_MODE_UNIQUE_OPEN == 32 && MPI_MODE_EXCL == 64 &&
                   MPI_MODE_APPEND == 128 && MPI_MODE_SEQUENTIAL == 256,
               "the spool has access modes by these numbers");

struct pl_table pl_known_files;
static uint32_t next_id = 1;

enum { kHintBytes = 64 * 1024 };

struct pl_file* pl_file_of(MPI_File fh) {
  struct pl_found* latest = &pl_self.file;
  uint64_t value = 0, handle = PL_FILE_HANDLE(fh);
  uint32_t version = pl_table_version(&pl_known_files);
  if (fh == pl_constants.file_null) return NULL;
  if (latest->handle != handle || latest->version != version || latest->object == 0) {
    if (!pl_table_get(&pl_known_files, handle, &value)) return NULL;
    *latest = (struct pl_found){handle, (uintptr_t)value, version};
  }
  return (struct pl_file*)latest->object;
}

uint64_t pl_file_position(MPI_File fh) {
  MPI_Offset position = 0;
  const struct pl_file* file = pl_file_of(fh);
  if (file == NULL || file->sequential || pl_mpi.File_get_position(fh, &position) != MPI_SUCCESS) return UINT64_MAX;
  return (uint64_t)position;
}

static struct pl_file* new_file(MPI_File fh, int amode) {
  static struct pl_lock lock;
  static struct pl_file* chunk;
  static size_t left;
  pl_acquire(&lock);
  if (left == 0 && (chunk = pl_map(4096)) != NULL) left = 4096 / sizeof(struct pl_file);
  struct pl_file* file = left == 0 ? NULL : &chunk[--left];
  pl_release(&lock);
  if (file == NULL) return NULL;
  file->id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  file->sequential = (amode & MPI_MODE_SEQUENTIAL) != 0;
  pl_table_put(&pl_known_files, PL_FILE_HANDLE(fh), (uint64_t)(uintptr_t)file);
  return file;
}

/* ---- Hints */

/* "key=value" lines; returns the length. */
static size_t list_hints(MPI_Info info, char* text) {
  char *at = text, *limit = text + kHintBytes, key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
  int n = 0, found = 0;
  if (info == pl_constants.info_null || pl_mpi.Info_get_nkeys(info, &n) != MPI_SUCCESS) return 0;
  for (int i = 0; i < n; ++i) {
    if (pl_mpi.Info_get_nthkey(info, i, key) != MPI_SUCCESS) break;
    if (pl_mpi.Info_get(info, key, MPI_MAX_INFO_VAL, value, &found) != MPI_SUCCESS || !found) continue;
    at = pl_put_text(pl_put_text(at, limit, key), limit, "=");
    at = pl_put_text(pl_put_text(at, limit, value), limit, "\n");
  }
  return (size_t)(at - text);
}

static void define_hints(struct pl_thread* t, struct pl_file* file, MPI_File fh, MPI_Info asked) {
  uint64_t begin = pl_ticks();
  MPI_Info info = pl_constants.info_null;
  char* text = pl_map(kHintBytes);
  if (text == NULL) return;
  size_t length = list_hints(asked, text);
  if (length > 0) pl_define_text(t, PL_DEF_HINTS, pl_pair(file->id, 0), 1, text, length, begin);
  if (length > 0) begin = pl_ticks();
  if (pl_mpi.File_get_info(fh, &info) == MPI_SUCCESS && info != pl_constants.info_null) {
    length = list_hints(info, text);
    uint64_t hash = pl_hash(text, length, 2);
    if (length > 0 && hash != file->hints)
      pl_define_text(t, PL_DEF_HINTS, pl_pair(file->id, 1), 1, text, length, begin);
    file->hints = hash;
    pl_mpi.Info_free(&info);
  }
  pl_unmap(text, kHintBytes);
}

/* ---- What is done while recording is off, or may have to give way, and must be known afterwards */

static int must_be_told(const struct pl_thread* t) { return t->diverted || pl.apart; }

static void define_file(struct pl_thread* t, const struct pl_file* file, uint32_t comm, uint32_t path, int amode) {
  uint64_t begin = pl_ticks();
  uint64_t* payload = pl_define(t, PL_WORDS_OF(struct pl_def_mpi_file_payload));
  PL_FILL(payload, def_mpi_file, .file = file->id, .amode = (uint32_t)amode, .comm = comm, .path = path);
  pl_defined(t, payload, PL_DEF_MPI_FILE, PL_WORDS_OF(struct pl_def_mpi_file_payload), begin);
}

static void define_view(struct pl_thread* t, const struct pl_file_view_payload* view) {
  uint64_t begin = pl_ticks();
  uint64_t* payload = pl_define(t, PL_WORDS_OF(struct pl_file_view_payload));
  PL_PAYLOAD(payload, file_view) = *view;
  pl_defined(t, payload, PL_DEF_VIEW, PL_WORDS_OF(struct pl_file_view_payload), begin);
}

/* ---- Calls */

/* ROMIO takes "ufs:/path" and the like: the part before the colon is a file system type. */
static const char* without_prefix(const char* name) {
  const char* at = name;
  while (*at >= 'a' && *at <= 'z') ++at;
  return *at == ':' && at - name > 1 ? at + 1 : name;
}

int pl_wrap_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(File_open)(comm, filename, amode, info, fh);
  uint32_t comm_id = pl_comm_of(t, comm)->id;
  const char* path = filename == NULL ? "" : without_prefix(filename);
  uint32_t path_id = pl_path_id(t, path, strlen(path));
  struct pl_call call = pl_prepare(t, PL_F_MPI_File_open, 3, __builtin_return_address(0));
  PL_FILL(call.r->payload, file_open, .comm = comm_id, .amode = (uint32_t)amode, .path = path_id, .failed = 1);
  pl_begin_file(t, &call);
  int result = pl_mpi.File_open(comm, filename, amode, info, fh);
  pl_stamp_file(t, &call);
  pl_note_result(&call, result);
  struct pl_file* file = result == MPI_SUCCESS ? new_file(*fh, amode) : NULL;
  if (file != NULL) {
    PL_PAYLOAD(call.r->payload, file_open).file = file->id;
    PL_PAYLOAD(call.r->payload, file_open).failed = 0;
  }
  pl_done(&call);
  if (file != NULL && must_be_told(t)) define_file(t, file, comm_id, path_id, amode);
  if (file != NULL) define_hints(t, file, *fh, info);
  if (file != NULL) pl_define_file_variables(t);
  pl_end_call(t);
  return result;
}

int pl_wrap_File_close(MPI_File* fh) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(File_close)(fh);
  uint64_t handle = fh == NULL ? 0 : PL_FILE_HANDLE(*fh);
  uint32_t id = fh == NULL ? 0 : pl_file_id(*fh);
  struct pl_call call = pl_prepare(t, PL_F_MPI_File_close, 1, __builtin_return_address(0));
  PL_FILL(call.r->payload, file, .file = id);
  pl_table_remove(&pl_known_files, handle); /* before the call: another thread's open may get the same handle */
  pl_begin_file(t, &call);
  int result = pl_mpi.File_close(fh);
  pl_stamp_file(t, &call);
  pl_note_result(&call, result);
  __atomic_fetch_add(&pl_comms_freed, 1, __ATOMIC_RELAXED); /* the library's own duplicate of its communicator */
  pl_done(&call);
  pl_end_call(t);
  return result;
}

int pl_wrap_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep,
                          MPI_Info info) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(File_set_view)(fh, disp, etype, filetype, datarep, info);
  struct pl_file* file = pl_file_of(fh);
  uint32_t etype_id = pl_datatype_id(t, etype), filetype_id = pl_datatype_id(t, filetype);
  struct pl_call call = pl_prepare(t, PL_F_MPI_File_set_view, 3, __builtin_return_address(0));
  const struct pl_file_view_payload view = {
      .file = file == NULL ? 0 : file->id, .displacement = disp, .etype = etype_id, .filetype = filetype_id};
  PL_PAYLOAD(call.r->payload, file_view) = view;
  pl_begin_file(t, &call);
  int result = pl_mpi.File_set_view(fh, disp, etype, filetype, datarep, info);
  pl_stamp_file(t, &call);
  pl_note_result(&call, result);
  pl_done(&call);
  if (result == MPI_SUCCESS && file != NULL && must_be_told(t)) define_view(t, &view);
  if (result == MPI_SUCCESS && file != NULL) define_hints(t, file, fh, info);
  pl_end_call(t);
  return result;
}

static uint32_t whence_of(int whence) { return whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? 1 : 2; }

int pl_wrap_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(File_seek)(fh, offset, whence);
  uint32_t id = pl_file_id(fh);
  struct pl_call call = pl_prepare(t, PL_F_MPI_File_seek, 3, __builtin_return_address(0));
  PL_FILL(call.r->payload, file_seek, .file = id, .whence = whence_of(whence), .offset = offset);
  pl_begin_file(t, &call);
  int result = pl_mpi.File_seek(fh, offset, whence);
  pl_stamp_file(t, &call);
  pl_note_result(&call, result);
  PL_PAYLOAD(call.r->payload, file_seek).position = pl_file_position(fh);
  pl_done(&call);
  pl_end_call(t);
  return result;
}
