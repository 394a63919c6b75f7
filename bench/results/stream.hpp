#pragma once
// What rank 0 of a run writes while it measures, and the host reads: whole records only, so that a killed run keeps
// what it measured. A record is one line of JSON, `{"kind": "cell", ..., "values": n}`, behind it n bytes of arrays in
// the order that the kind says (little-endian, as in memory), and a line feed.
//   kind "run":  the fields of Run that the ranks know; no arrays
//   kind "cell": the fields of Cell; arrays seconds, of_ranks (8-byte floats), flags (bytes), with counts in the line
//   kind "note": {"text": ...}
//   kind "done": {"request": index in the plan}: all its cells are above
//   kind "end":  the fields of Run that are known behind the last cell; no arrays. A run without it did not finish

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

// Each writes one record and flushes it. Throws Error when that fails.
void write_run(std::FILE* to, const Run& run);
void write_cell(std::FILE* to, const Cell& cell);
void write_note(std::FILE* to, std::string_view text);
void write_expect(std::FILE* to, double seconds);  // nothing may come for so long; not kept
void write_done(std::FILE* to, std::uint32_t request);
void write_end(std::FILE* to, const Run& run);

// One record of kind "cell", as write_cell() writes it, and the cells of such records one behind the other: ranks hand
// cells to rank 0 like this.
std::string cell_record(const Cell& cell);
std::vector<Cell> cells_of_records(std::string_view records);

// Adds the run to `into` with its cells and notes, whatever there is of it; the answer is which requests of the plan
// are done. Cells of a request that is not are left out, so that it can be asked for again, and so is what is behind
// the last whole record. Run::finished says whether there was an end. Throws Error, with the byte, where the file is
// not one of ours.
std::vector<std::uint32_t> read_stream(const std::filesystem::path& path, Campaign& into);

}  // namespace plumbline::bench
