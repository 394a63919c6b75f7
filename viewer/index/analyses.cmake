# What the viewer works out of a recording and what it is held against: who waited for whom, and where time went.
plumbline_library(viewer_analyses
  HEADERS runs/alike.hpp waits/cause_step.hpp waits/causes.hpp waits/critical_path.hpp waits/delays.hpp
    aggregates/efficiency.hpp filter/filter.hpp filter/lexer.hpp filter/fields.hpp filter/parser.hpp filter/values.hpp
    filter/values_of.hpp lanes/fold_features.hpp lanes/fold_strips.hpp lanes/folds.hpp aggregates/histogram.hpp
    aggregates/instances.hpp matches/match_parts.hpp
    matches/match_operations.hpp matches/matches.hpp aggregates/matrix.hpp aggregates/messages.hpp
    opening/keep_opening.hpp opening/opening.hpp opening/check.hpp opening/fields.hpp pyramid/overlap.hpp runs/peers.hpp
    aggregates/phases.hpp aggregates/profile.hpp aggregates/ranking.hpp filter/select.hpp matches/series.hpp
    aggregates/served.hpp waits/waits.hpp
    aggregates/waterfall.hpp
  SOURCES runs/alike.cpp waits/causes.cpp waits/critical_path.cpp waits/delays.cpp aggregates/efficiency.cpp
    filter/apply.cpp filter/compile.cpp filter/fields.cpp filter/lexer.cpp filter/parser.cpp filter/values.cpp
    filter/values_of.cpp lanes/fold_features.cpp lanes/fold_strips.cpp lanes/folds.cpp aggregates/histogram.cpp
    aggregates/instances.cpp matches/match_collectives.cpp matches/match_messages.cpp matches/match_requests.cpp
    matches/match_windows.cpp matches/match_operations.cpp matches/matches.cpp matches/series.cpp aggregates/matrix.cpp
    aggregates/messages.cpp opening/keep_opening.cpp opening/check.cpp runs/peers.cpp aggregates/phases.cpp
    aggregates/profile.cpp aggregates/ranking.cpp filter/select.cpp filter/select_search.cpp aggregates/served.cpp
    waits/waits.cpp aggregates/waterfall.cpp
  DEPENDS viewer_index compare program
  USES PkgConfig::xxhash fmt::fmt)
