# Finds the dependencies of Kiln's core: LLVM, oneTBB, fmt, xxHash and zstd. Each optional part finds its own dependencies in its
# folder. docs/dependencies.md has the reason for each dependency.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
# LLVM: static, X86, AArch64, NVPTX and SPIR-V only. The shared libLLVM costs 9 ms at every process start (341k relocations).
llvm_map_components_to_libnames(KILN_LLVM_LIBS
  core support irreader bitreader bitwriter linker passes ipo instcombine scalaropts vectorize transformutils
  analysis target codegen asmprinter mc nvptxcodegen nvptxdesc nvptxinfo spirvcodegen spirvdesc spirvinfo x86codegen x86asmparser x86desc x86info
  aarch64codegen aarch64asmparser aarch64desc aarch64info
  orcjit jitlink object targetparser)
# Tests set KILN_SHARED_LLVM: forty programs, each with LLVM linked in, would take 2 GB and two minutes to link.
define_property(TARGET PROPERTY KILN_SHARED_LLVM INITIALIZE_FROM_VARIABLE KILN_SHARED_LLVM
  BRIEF_DOCS "Link the shared library of LLVM")
set(shared "$<BOOL:$<TARGET_PROPERTY:KILN_SHARED_LLVM>>")
add_library(kiln_llvm INTERFACE)
target_link_libraries(kiln_llvm INTERFACE "$<${shared}:LLVM>" "$<$<NOT:${shared}>:${KILN_LLVM_LIBS}>")
target_include_directories(kiln_pch_llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(kiln_pch_llvm PRIVATE ${LLVM_DEFINITIONS_LIST})
