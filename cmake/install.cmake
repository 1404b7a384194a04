# install: the library, its headers and what find_package(baton) reads, and the command line where it is built.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/third_party.cmake)
write_third_party(${PROJECT_BINARY_DIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/baton)
install(TARGETS baton EXPORT baton)
file(REAL_PATH ${BATON_OPENBLAS} openblas)  # the file itself, where that is a link
install(FILES ${openblas} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME ${openblas_file})
install(DIRECTORY include/baton DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# All that libbaton links is private to it, so the targets file is the whole configuration.
install(EXPORT baton NAMESPACE baton:: FILE batonConfig.cmake DESTINATION ${package_folder})
write_basic_package_version_file(batonConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/batonConfigVersion.cmake DESTINATION ${package_folder})
install(FILES LICENSE ${PROJECT_BINARY_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET baton_tool)
  file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(baton_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
  install(TARGETS baton_tool)
endif()
