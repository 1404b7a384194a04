# third_party: writes THIRD_PARTY.md: what Baton uses of others, in the versions that this build found.

# The version that a macro of a header gives: `parts` are its macros, joined with dots.
function(header_version out header)
  find_path(folder ${header} NO_CACHE)
  set(version)
  if(folder)
    foreach(macro ${ARGN})
      file(STRINGS ${folder}/${header} line REGEX "define[ ]+${macro}[ ]" LIMIT_COUNT 1)
      string(REGEX REPLACE ".*define[ ]+${macro}[ ]+\"?([0-9_.]+)\"?.*" "\\1" part "${line}")
      string(REPLACE "_" "." part "${part}")
      list(APPEND version ${part})
    endforeach()
  endif()
  list(JOIN version "." version)
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

function(write_third_party file)
  find_package(fmt QUIET)
  find_package(nlohmann_json QUIET)
  find_package(CLI11 QUIET)
  find_package(GTest QUIET)
  get_target_property(linked baton LINK_LIBRARIES)
  if(linked MATCHES "ZLIB")
    header_version(zlib zlib.h ZLIB_VERSION)
  endif()
  header_version(xxhash xxhash.h XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE)
  header_version(boost boost/version.hpp BOOST_LIB_VERSION)

  # name ; version ; licence ; how it reaches a user ; what for
  set(rows
      "fmt|${fmt_VERSION}|MIT|libbaton links it|text of messages"
      "nlohmann-json|${nlohmann_json_VERSION}|MIT|compiled into libbaton and the command line|JSON"
      "xxHash|${xxhash}|BSD-2-Clause|compiled into libbaton|hashes of content"
      "Boost.Math|${boost}|BSL-1.0|compiled into libbaton|special functions of the reference engine"
      "zlib|${zlib}|Zlib|libbaton links it|gzip"
      "CLI11|${CLI11_VERSION}|BSD-3-Clause|compiled into the command line|options"
      "GoogleTest|${GTest_VERSION}|BSD-3-Clause|tests only|tests")
  set(text "# Third-party software\n\nWritten by the build. Baton itself is under the Apache License 2.0.\n\n")
  string(APPEND text "| name | version | licence | how | for |\n| --- | --- | --- | --- | --- |\n")
  foreach(row ${rows})
    string(REPLACE "|" ";" fields "${row}")
    list(GET fields 1 version)
    if(NOT version STREQUAL "")  # not found: this build has none of it
      string(REPLACE "|" " | " row "${row}")
      string(APPEND text "| ${row} |\n")
    endif()
  endforeach()
  string(APPEND text "\n`data/digits.csv`: E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998; "
         "CC BY 4.0.\n")
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)  # written only when it changes
endfunction()
