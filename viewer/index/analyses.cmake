# What the viewer works out of a recording and what it is held against: who waited for whom, and where time went.
plumbline_library(viewer_analyses
  HEADERS alike.hpp causes.hpp critical_path.hpp delays.hpp efficiency.hpp filter.hpp filter_lexer.hpp filter_parser.hpp
          filter_values.hpp filter_values_of.hpp fold_features.hpp fold_strips.hpp folds.hpp histogram.hpp instances.hpp match_parts.hpp
          matches.hpp matrix.hpp messages.hpp opening.hpp opening_check.hpp opening_fields.hpp overlap.hpp peers.hpp phases.hpp profile.hpp ranking.hpp select.hpp series.hpp served.hpp waits.hpp
          waterfall.hpp
  SOURCES alike.cpp causes.cpp critical_path.cpp delays.cpp efficiency.cpp filter_apply.cpp filter_compile.cpp
          filter_fields.cpp filter_lexer.cpp filter_parser.cpp filter_values.cpp filter_values_of.cpp fold_features.cpp fold_strips.cpp
          folds.cpp histogram.cpp instances.cpp match_collectives.cpp match_messages.cpp match_requests.cpp
          match_windows.cpp matches.cpp matrix.cpp messages.cpp opening.cpp opening_check.cpp peers.cpp phases.cpp profile.cpp ranking.cpp select.cpp select_search.cpp served.cpp waits.cpp
          waterfall.cpp
  DEPENDS viewer_index compare program
  USES PkgConfig::xxhash fmt::fmt)
