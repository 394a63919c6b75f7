#pragma once
// A small catalogue, as ranks would describe it.

namespace plumbline::bench::test {

inline constexpr char kFamilies[] = R"({"mpi": "openmpi", "families": [
  {"name": "bcast", "summary": "MPI_Bcast", "bytes": "the message", "implementations": ["library", "binomial", "chain"],
   "least_ranks": 2, "parameters": []},
  {"name": "round_trip", "summary": "there and back", "bytes": "the message", "implementations": ["library"],
   "least_ranks": 2, "parameters": [
     {"name": "send", "summary": "how to send", "default": "Send", "is_word": true},
     {"name": "messages", "summary": "under way at once", "default": "1", "is_word": false}]},
  {"name": "file_write", "summary": "MPI_File_write", "bytes": "the access", "implementations": ["library"],
   "least_ranks": 1, "parameters": [
     {"name": "directory", "summary": "where", "default": "", "is_word": true},
     {"name": "hint.NAME", "summary": "a hint", "default": "", "is_word": true}]},
  {"name": "barrier", "summary": "MPI_Barrier", "bytes": "", "implementations": ["library"], "least_ranks": 4,
   "parameters": []}]})";

}  // namespace plumbline::bench::test
