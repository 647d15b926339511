# Flags of Kiln's targets. Each target links them PRIVATE, so that they do not reach a program that adds Kiln as a subdirectory:
#   kiln_build_flags   compile flags
#   kiln_program       kiln_build_flags, and link flags of programs, tests and benches of this tree
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ${PROJECT_IS_TOP_LEVEL})
set(CMAKE_PCH_INSTANTIATE_TEMPLATES ON)

option(KILN_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(KILN_SANITIZE "" CACHE STRING "Sanitizers: empty, address,undefined or thread")
option(KILN_FUZZ "Build the libFuzzer programs" OFF)

# Sources of a component compile in batches, because headers take more than half of a small file's compile time. The preset tidy
# compiles each file alone, which finds missing includes.
option(KILN_UNITY "Compile the sources of a component together" ON)
set(KILN_UNITY_BATCH 6) # files in a batch; an edit recompiles the file's batch

find_program(CCACHE ccache)
if(CCACHE)
  # ccache needs these two sloppiness options for hits with precompiled headers.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1 ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

add_library(kiln_build_flags INTERFACE)
target_compile_options(kiln_build_flags INTERFACE
  -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
  -Wno-deprecated-declarations # libstdc++ 12 warns about its own std::stable_sort under Clang
  -fPIC # the same objects go into programs, archives and shared libraries
  -ffunction-sections -fdata-sections -fvisibility=hidden -Xclang -fno-pch-timestamp)
if(KILN_WERROR)
  target_compile_options(kiln_build_flags INTERFACE -Werror)
endif()
add_library(kiln_program INTERFACE)
target_link_libraries(kiln_program INTERFACE kiln_build_flags)
# -no-pie: a static program starts four times faster than one that relocates itself.
# --strip-debug: some of Debian's LLVM 22 archives have debug information, 12 MB per program, which Valgrind 3.19 cannot read.
target_link_options(kiln_program INTERFACE -fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed -no-pie $<$<CONFIG:Release>:-Wl,--strip-debug>)
# Release builds place the functions that a compile executes next to each other. bench/symbol_order.py makes the list; a name that is
# missing in a program has no effect. compile_latency by turns with NVRTC is 13 to 25 % faster with it.
# An extracted file has the archive's time, which is 0. The copy has the time of its last change, so that a new list links again.
file(ARCHIVE_EXTRACT INPUT "${CMAKE_CURRENT_LIST_DIR}/symbol_order.tar.xz" DESTINATION "${PROJECT_BINARY_DIR}/extracted")
file(COPY_FILE "${PROJECT_BINARY_DIR}/extracted/symbol_order.txt" "${PROJECT_BINARY_DIR}/symbol_order.txt" ONLY_IF_DIFFERENT)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/symbol_order.tar.xz")
set(KILN_SYMBOL_ORDER "${PROJECT_BINARY_DIR}/symbol_order.txt")
set(KILN_ORDER_OPTIONS "$<$<CONFIG:Release>:LINKER:--symbol-ordering-file=${KILN_SYMBOL_ORDER};LINKER:--no-warn-symbol-ordering>")
target_link_options(kiln_program INTERFACE ${KILN_ORDER_OPTIONS})
set_property(TARGET kiln_program APPEND PROPERTY INTERFACE_LINK_DEPENDS "${KILN_SYMBOL_ORDER}")
if(KILN_SANITIZE)
  # -fno-sanitize=function: that check reads eight bytes before a called function, which JIT-compiled code does not have.
  target_compile_options(kiln_build_flags INTERFACE
    -fsanitize=${KILN_SANITIZE} -fno-sanitize=function -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(kiln_program INTERFACE -fsanitize=${KILN_SANITIZE})
  add_library(kiln_sanitizer_options OBJECT "${CMAKE_CURRENT_LIST_DIR}/sanitizer_options.cpp")
  target_link_libraries(kiln_program INTERFACE $<TARGET_OBJECTS:kiln_sanitizer_options>)
endif()

if(KILN_FUZZ)
  target_compile_options(kiln_build_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# add_precompiled_header(NAME): adds the target kiln_pch_<NAME>, which precompiles cmake/pch_<NAME>.h.
function(add_precompiled_header name)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pch_${name}.cpp" CONTENT "// Anchor of a precompiled header.\n")
  add_library(kiln_pch_${name} OBJECT "${PROJECT_BINARY_DIR}/pch_${name}.cpp")
  target_link_libraries(kiln_pch_${name} PRIVATE kiln_build_flags fmt::fmt)
  target_include_directories(kiln_pch_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_precompile_headers(kiln_pch_${name} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/pch_${name}.h")
endfunction()
foreach(name std kiln llvm)
  add_precompiled_header(${name})
endforeach()
