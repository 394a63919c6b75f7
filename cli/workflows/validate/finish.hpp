#pragma once
// From what the stages left to the whole validation: the state of each check, what is suppressed, the written faces.

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// The state of every check of the catalogue that is wanted.
void settle_checks(Session& session);

// report.json, report.html, junit.xml. Each appears whole; what cannot be written is an Error.
void write_faces(const Session& session);

}  // namespace plumbline::cli::validate
