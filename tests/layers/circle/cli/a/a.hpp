#pragma once
#include "cli/b/b.hpp"
