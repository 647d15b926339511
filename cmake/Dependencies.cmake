# Look-up of everything Kiln takes from outside; docs/dependencies.md says why each was chosen.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Catch2 2 REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
# PCRE2: static, since few programs need it and each start would load it.
find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)
find_library(PCRE2_LIBRARY NAMES libpcre2-8.a REQUIRED)
add_library(kiln_pcre2 INTERFACE)
target_link_libraries(kiln_pcre2 INTERFACE "$<BUILD_INTERFACE:${PCRE2_LIBRARY}>")
target_include_directories(kiln_pcre2 SYSTEM INTERFACE "${PCRE2_INCLUDE_DIR}")

# libedit, the program's alone: static for the same reason, with what its archive needs.
find_path(EDIT_INCLUDE_DIR histedit.h REQUIRED)
add_library(kiln_edit INTERFACE)
foreach(library edit bsd md tinfo)
  find_library(EDIT_${library} NAMES lib${library}.a REQUIRED)
  target_link_libraries(kiln_edit INTERFACE "${EDIT_${library}}")
endforeach()
target_include_directories(kiln_edit SYSTEM INTERFACE "${EDIT_INCLUDE_DIR}")

# LLVM: static, X86 and NVPTX only. The shared libLLVM costs 9 ms at every process start (341k relocations).
llvm_map_components_to_libnames(KILN_LLVM_LIBS
  core support irreader bitreader bitwriter linker passes ipo instcombine scalaropts vectorize transformutils
  analysis target codegen asmprinter mc nvptxcodegen nvptxdesc nvptxinfo x86codegen x86asmparser x86desc x86info
  orcjit jitlink object targetparser)
add_library(kiln_llvm INTERFACE)
target_link_libraries(kiln_llvm INTERFACE ${KILN_LLVM_LIBS})
target_include_directories(kiln_pch_llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(kiln_pch_llvm PRIVATE ${LLVM_DEFINITIONS_LIST})
