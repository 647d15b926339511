# Kiln's libraries for other programs; cmake/Install.cmake installs them.
#   Kiln::kiln         libkiln.so: all of Kiln, with LLVM linked in and hidden; C++ (kiln/*.h) and C (kiln/c.h)
#   Kiln::c            the same library for programs in C
#   Kiln::runtime      libkiln-runtime.so: devices and bundles (kiln/runtime.h, kiln/bundle.h, kiln/runtime_c.h), no compiler
#   Kiln::runtime_c    the same library for programs in C
#   Kiln::programs     libkiln-programs.so: whole programs and packages that run code (kiln/program.h), beside libkiln.so of the same build
#   Kiln::programs_c   the same library for programs in C
#   Kiln::kiln_static  libkiln_static.a: all of Kiln, for programs that link LLVM 22 themselves
#   Kiln::programs_static  libkiln_programs_static.a: the programs library, for use with libkiln_static.a
# docs/guide/install.md explains how a program links them.
set(objects)
foreach(component IN LISTS KILN_COMPONENTS ITEMS runtime_sources build_digest)
  if(NOT KILN_COMPONENT_${component}_APART)
    list(APPEND objects $<TARGET_OBJECTS:kiln_${component}>)
  endif()
endforeach()
set(outside ${KILN_LLVM_LIBS} TBB::tbb fmt::fmt zstd Threads::Threads ${CMAKE_DL_LIBS})

# The version script hides LLVM's symbols, so that a process may contain another LLVM. -Bsymbolic and packed relative relocations
# shorten the load time: LLVM has 300,000 relocations. The library is never unloaded, because threads of oneTBB and compiled code
# outlive a dlclose.
function(link_shared_library target map)
  target_link_options(${target} PRIVATE -fuse-ld=lld $<$<CONFIG:Release>:LINKER:--strip-debug>
    "LINKER:--version-script=${map}" LINKER:--exclude-libs,ALL LINKER:--gc-sections LINKER:--as-needed
    LINKER:-Bsymbolic LINKER:-z,pack-relative-relocs LINKER:-z,nodelete LINKER:-z,defs ${KILN_ORDER_OPTIONS})
  if(KILN_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${KILN_SANITIZE} LINKER:-z,undefs
      INTERFACE "$<BUILD_INTERFACE:-fsanitize=${KILN_SANITIZE}>") # sanitizer code is linked into programs only
  endif()
endfunction()

# Makes ${prefix}_shared as lib<output>.so.0, with Kiln::<cxx> and Kiln::<c> to link it. Only the target for C++ programs requires a C++
# standard.
function(hand_out_shared_library prefix output cxx c)
  set(map "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lib${output}.map")
  foreach(language IN ITEMS cxx c)
    add_library(${prefix}_${language} INTERFACE)
    target_link_libraries(${prefix}_${language} INTERFACE ${prefix}_shared)
    add_library(Kiln::${${language}} ALIAS ${prefix}_${language})
    set_target_properties(${prefix}_${language} PROPERTIES EXPORT_NAME ${${language}})
  endforeach()
  target_compile_features(${prefix}_cxx INTERFACE cxx_std_20)
  string(REPLACE "kiln_" "" exported ${prefix}_shared)
  set_target_properties(${prefix}_shared PROPERTIES
    OUTPUT_NAME ${output} EXPORT_NAME ${exported} LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 0
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib" LINK_DEPENDS "${map};${KILN_SYMBOL_ORDER}")
  target_include_directories(${prefix}_shared PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>")
  link_shared_library(${prefix}_shared "${map}")
endfunction()

# ---- the shared library
add_library(kiln_shared SHARED ${objects})
hand_out_shared_library(kiln kiln kiln c)
target_link_libraries(kiln_shared PRIVATE kiln_build_flags ${outside})
add_dependencies(kiln_shared kiln_language_abi)

# ---- the runtime without a compiler: objects of the components behind its headers, and their dependencies
set(runtime_objects)
foreach(component IN ITEMS support architectures host opencl devices bundle c_base)
  list(APPEND runtime_objects $<TARGET_OBJECTS:kiln_${component}>)
endforeach()
add_library(kiln_runtime_shared SHARED ${runtime_objects} "${PROJECT_SOURCE_DIR}/tools/runtime/feature.cpp")
hand_out_shared_library(kiln_runtime kiln-runtime runtime runtime_c)
target_link_libraries(kiln_runtime_shared PRIVATE kiln_build_flags $<LINK_ONLY:kiln_abi> TBB::tbb fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})

# ---- the archive
add_library(kiln_static STATIC ${objects})
add_library(Kiln::kiln_static ALIAS kiln_static)
set_target_properties(kiln_static PROPERTIES LINKER_LANGUAGE CXX ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_include_directories(kiln_static INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>")
target_compile_features(kiln_static INTERFACE cxx_std_20)
target_link_libraries(kiln_static PRIVATE $<BUILD_INTERFACE:kiln_build_flags> INTERFACE ${outside})

# ---- the programs library. The shared one calls libkiln.so's functions marked KILN_PROGRAMS_API. At run time it compares the two
# libraries' build digests.
if(KILN_BUILD_PROGRAMS)
  set(program_objects $<TARGET_OBJECTS:kiln_programs> $<TARGET_OBJECTS:kiln_c_programs> $<TARGET_OBJECTS:kiln_program_sources>)
  add_library(kiln_programs_shared SHARED ${program_objects} $<TARGET_OBJECTS:kiln_build_digest>)
  hand_out_shared_library(kiln_programs kiln-programs programs programs_c)
  # The installed target refers to Kiln::shared by name, because kiln_shared is in two export sets (cmake/Install.cmake).
  target_link_libraries(kiln_programs_shared PUBLIC $<BUILD_INTERFACE:kiln_shared> $<INSTALL_INTERFACE:Kiln::shared> PRIVATE kiln_build_flags $<LINK_ONLY:kiln_pcre2> fmt::fmt)
  set_target_properties(kiln_programs_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
  add_library(kiln_programs_static STATIC ${program_objects})
  add_library(Kiln::programs_static ALIAS kiln_programs_static)
  set_target_properties(kiln_programs_static PROPERTIES EXPORT_NAME programs_static LINKER_LANGUAGE CXX ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_link_libraries(kiln_programs_static PRIVATE $<BUILD_INTERFACE:kiln_build_flags> INTERFACE kiln_static -l:libpcre2-8.a)
endif()

# CMake refuses to link both libraries: two Kilns in one program would have two worlds and two LLVMs. Kiln::kiln contains Kiln::runtime.
foreach(library shared static runtime_shared)
  set_target_properties(kiln_${library} PROPERTIES INTERFACE_KILN_LINKAGE ${library})
  set_property(TARGET kiln_${library} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING KILN_LINKAGE)
endforeach()
