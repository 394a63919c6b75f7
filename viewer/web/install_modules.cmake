# cmake -DNPM=.. -DFROM=.. -DINTO=.. -P: installs what package-lock.json of FROM names below INTO, and stamps it.
file(MAKE_DIRECTORY ${INTO})
file(COPY ${FROM}/package.json ${FROM}/package-lock.json DESTINATION ${INTO})
# Registries fail for moments.
foreach(attempt RANGE 1 3)
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${INTO}
    OUTPUT_QUIET
    RESULT_VARIABLE failed)
  if(NOT failed)
    break()
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep ${attempt})
endforeach()
if(failed)
  message(FATAL_ERROR "viewer: npm ci failed in ${INTO}. Without a network, configure with -DVIEWER_ASSETS=off")
endif()
file(TOUCH ${INTO}/stamp)
