#include "replay/io/ompio.hpp"
