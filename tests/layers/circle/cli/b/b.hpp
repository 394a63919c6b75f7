#pragma once
#include "cli/a/a.hpp"
