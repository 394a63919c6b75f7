#pragma once
// What a server has opened, from a program in its text form: four ranks on two nodes that write, exchange and wait.

#include <memory>

#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

// Compared with an expectation of 50 ms for each write, of which rank 2's take 400 ms and the others' 100 ms.
std::unique_ptr<Opened> opened_pair();

// The same recording alone.
std::unique_ptr<Opened> opened_alone();

}  // namespace plumbline::viewer
