#pragma once
// What users have named, under other names: paths, programs and their arguments, hosts, communicators, functions and
// source files, values of hints and of the environment. Done while the archive is assembled and not in the traced
// program: call sites are looked up in modules by their true paths, and existing spools can be treated alike.
//
// A text is cut into pieces. A piece that is a number or a word of a fixed list (of MPI libraries, file systems, the
// file hierarchy) stays; any other becomes n1, n2, .. in the order in which they are met, the same piece always the
// same, with its extension of up to four letters. What lies between pieces stays. So a path keeps its depth, its
// extension and what it shares with others; equal names are equal in the whole archive; and there is no key by which
// they could be found out.

#include <map>
#include <string>
#include <string_view>

#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/format/format.h"

namespace plumbline::record {

class Pseudonyms {
 public:
  std::string path(std::string_view path);       // pieces are what lies between slashes
  std::string text(std::string_view text);       // pieces are letters, digits and _ - .
  std::string settings(std::string_view lines);  // "key=value" lines: well-known keys stay

 private:
  std::string piece(std::string_view piece);

  std::map<std::string, std::string, std::less<>> names_;
};

// Everything of a process that the archive will show, but call sites. What is added to the facts belongs here too.
void anonymize(ProcessFacts& facts, Pseudonyms& pseudonyms);
pl_file_header anonymized(const pl_file_header& header, Pseudonyms& pseudonyms);

}  // namespace plumbline::record
