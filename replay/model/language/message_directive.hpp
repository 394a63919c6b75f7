#pragma once
// The directive Message.

#include "replay/model/language/directives.hpp"
#include "replay/model/language/token_cursor.hpp"

namespace plumbline::replay::model {

// From behind its name to its end. `place`: of the directive. Throws Fault.
Message parse_message(TokenCursor& cursor, Place place);

}  // namespace plumbline::replay::model
