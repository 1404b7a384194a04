# llvm: the code generator of LLVM 19, linked statically, as target `llvm`. llvm-config knows the libraries; of those of
# the system it names more than the code generator needs.
find_program(LLVM_CONFIG NAMES llvm-config-19 HINTS /usr/lib/llvm-19/bin REQUIRED)
function(ask_llvm out)
  execute_process(COMMAND ${LLVM_CONFIG} --link-static ${ARGN} OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(answer UNIX_COMMAND "${answer}")
  set(${out} ${answer} PARENT_SCOPE)
endfunction()
ask_llvm(LLVM_VERSION --version)
ask_llvm(llvm_includes --includedir)
ask_llvm(llvm_libraries --libfiles runtimedyld nativecodegen)
add_library(llvm INTERFACE)
target_include_directories(llvm SYSTEM INTERFACE ${llvm_includes})
target_link_libraries(llvm INTERFACE ${llvm_libraries} ZLIB::ZLIB zstd tinfo rt ${CMAKE_DL_LIBS} m)
