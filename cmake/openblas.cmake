# openblas: libbaton opens a copy of its own at run time (src/engines/cpu/blas.cc), which therefore lies beside it under a
# name of its own. First choice: what cmake/setup.sh keeps of the wheel scipy-openblas32; else Debian's libopenblas0-serial.
set(OPENBLAS_VERSION 0.3.34.481.3)  # as in cmake/setup.sh
set(caches "$ENV{HOME}/.cache/baton" /root/.cache/baton)  # setup.sh may have run without HOME
if(DEFINED ENV{XDG_CACHE_HOME})
  list(PREPEND caches "$ENV{XDG_CACHE_HOME}/baton")
endif()
list(TRANSFORM caches APPEND "/scipy_openblas32-${OPENBLAS_VERSION}")
find_library(BATON_OPENBLAS NAMES scipy_openblas libopenblas.so.0 PATHS ${caches}
             PATH_SUFFIXES x86_64-linux-gnu/openblas-serial x86_64-linux-gnu/openblas-pthread)
if(NOT BATON_OPENBLAS)
  message(FATAL_ERROR "OpenBLAS was not found. Run cmake/setup.sh, or name the library: -DBATON_OPENBLAS=FILE")
endif()
set(openblas_file libbaton_openblas.so)

function(put_openblas_beside target)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
                     COMMAND ${CMAKE_COMMAND} -E copy_if_different ${BATON_OPENBLAS} $<TARGET_FILE_DIR:${target}>/${openblas_file})
endfunction()
