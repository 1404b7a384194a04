# third_party: writes THIRD_PARTY.md, what Baton uses of others in the versions that this build found, and
# third_party.inc, the same rows without those of tests for `baton info`.

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

function(write_third_party out_folder)
  find_package(nlohmann_json QUIET)
  find_package(CLI11 QUIET)
  find_package(GTest QUIET)
  get_target_property(linked baton LINK_LIBRARIES)
  if(linked MATCHES "ZLIB")
    header_version(zlib zlib.h ZLIB_VERSION)
  endif()
  header_version(tbb oneapi/tbb/version.h TBB_VERSION_MAJOR TBB_VERSION_MINOR)
  header_version(xxhash xxhash.h XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE)
  header_version(boost boost/version.hpp BOOST_LIB_VERSION)

  set(openblas Debian)
  if(BATON_OPENBLAS MATCHES "scipy_openblas32-([0-9.]+)")
    set(openblas ${CMAKE_MATCH_1})
  endif()

  # name ; version ; licence ; how it reaches a user ; what for
  set(rows
      "nlohmann-json|${nlohmann_json_VERSION}|MIT|compiled into libbaton|JSON"
      "xxHash|${xxhash}|BSD-2-Clause|compiled into libbaton|hashes of content"
      "Boost.Math|${boost}|BSL-1.0|compiled into libbaton|special functions of the reference engine"
      "zlib|${zlib}|Zlib|libbaton links it|npz archives"
      "oneTBB|${tbb}|Apache-2.0|libbaton links it|threads"
      "LLVM|${LLVM_VERSION}|Apache-2.0 WITH LLVM-exception|compiled into libbaton|machine code of kernels"
      "OpenBLAS|${openblas}|BSD-3-Clause|a copy lies beside libbaton, which opens it|products of complex matrices, linear algebra"
      "CLI11|${CLI11_VERSION}|BSD-3-Clause|compiled into the command line|options"
      "GoogleTest|${GTest_VERSION}|BSD-3-Clause|tests only|tests")
  set(text "# Third-party software\n\nWritten by the build. Baton itself is under the Apache License 2.0.\n\n")
  string(APPEND text "| name | version | licence | how | for |\n| --- | --- | --- | --- | --- |\n")
  set(rows_of_info)
  foreach(row ${rows})
    string(REPLACE "|" ";" fields "${row}")
    list(GET fields 0 name)
    list(GET fields 1 version)
    list(GET fields 2 licence)
    if(NOT version STREQUAL "")  # not found: this build has none of it
      if(NOT row MATCHES "tests only")
        string(APPEND rows_of_info "{\"${name}\", \"${version}\", \"${licence}\"},\n")
      endif()
      string(REPLACE "|" " | " row "${row}")
      string(APPEND text "| ${row} |\n")
    endif()
  endforeach()
  string(APPEND text "\n`data/digits.csv`: E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998; "
         "CC BY 4.0.\n")
  string(APPEND text "\n`baton/dlpack.h` declares the structures of the DLPack ABI (Apache-2.0).\n")
  # Licences that ask to be handed on with what is compiled in, as Debian's packages hold them.
  foreach(package nlohmann-json3-dev libxxhash-dev libcli11-dev zlib1g)
    set(licence /usr/share/doc/${package}/copyright)
    if(EXISTS ${licence})
      file(READ ${licence} content)
      string(APPEND text "\n## ${package}\n\n```\n${content}```\n")
    endif()
  endforeach()
  set(content "")
  get_filename_component(licence ${BATON_OPENBLAS} DIRECTORY)
  if(EXISTS ${licence}/LICENSE.txt)
    file(READ ${licence}/LICENSE.txt content)
  elseif(EXISTS /usr/share/doc/libopenblas0-serial/copyright)
    file(READ /usr/share/doc/libopenblas0-serial/copyright content)
  endif()
  string(APPEND text "\n## OpenBLAS\n\n```\n${content}```\n")
  file(CONFIGURE OUTPUT ${out_folder}/THIRD_PARTY.md CONTENT "${text}" @ONLY)  # written only when it changes
  file(CONFIGURE OUTPUT ${out_folder}/third_party.inc CONTENT "${rows_of_info}" @ONLY)
endfunction()
