# The libraries that Kiln hands to other programs; cmake/Install.cmake installs them.
#   Kiln::kiln         libkiln.so: all of it, LLVM inside and hidden; C++ (kiln/*.h) and C (kiln/c.h)
#   Kiln::c            the same library for programs in C
#   Kiln::runtime      libkiln-runtime.so: devices and bundles (kiln/runtime.h, kiln/bundle.h, kiln/runtime_c.h), no compiler
#   Kiln::runtime_c    the same library for programs in C
#   Kiln::kiln_static  libkiln_static.a: for those who link LLVM 19 themselves
# docs/guide/install.md says how a program takes them up.
set(objects)
foreach(component IN LISTS KILN_COMPONENTS ITEMS runtime_sources build_digest)
  list(APPEND objects $<TARGET_OBJECTS:kiln_${component}>)
endforeach()
set(outside ${KILN_LLVM_LIBS} TBB::tbb fmt::fmt zstd Threads::Threads ${CMAKE_DL_LIBS})

# ---- the shared library
add_library(kiln_shared SHARED ${objects})
# What C++ programs link says which C++; what C programs link must not.
foreach(language cxx c)
  add_library(kiln_${language} INTERFACE)
  target_link_libraries(kiln_${language} INTERFACE kiln_shared)
endforeach()
target_compile_features(kiln_cxx INTERFACE cxx_std_20)
add_library(Kiln::kiln ALIAS kiln_cxx)
add_library(Kiln::c ALIAS kiln_c)
set_target_properties(kiln_cxx PROPERTIES EXPORT_NAME kiln)
set_target_properties(kiln_c PROPERTIES EXPORT_NAME c)
set_target_properties(kiln_shared PROPERTIES
  OUTPUT_NAME kiln EXPORT_NAME shared LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 0
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib" LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/libkiln.map")
target_include_directories(kiln_shared INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
target_link_libraries(kiln_shared PRIVATE kiln_build_flags ${outside})
# The version script keeps LLVM's symbols in, so that a process may hold another LLVM. -Bsymbolic and packed relative relocations are for
# the time to load: LLVM has 300,000 relocations of its own. Never unloaded: threads of oneTBB and compiled code outlive a dlclose.
function(link_shared_library target map)
  target_link_options(${target} PRIVATE -fuse-ld=lld
    "LINKER:--version-script=${map}" LINKER:--exclude-libs,ALL LINKER:--gc-sections LINKER:--as-needed
    LINKER:-Bsymbolic LINKER:-z,pack-relative-relocs LINKER:-z,nodelete LINKER:-z,defs)
  if(KILN_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${KILN_SANITIZE} LINKER:-z,undefs)
  endif()
endfunction()
link_shared_library(kiln_shared "${CMAKE_CURRENT_LIST_DIR}/libkiln.map")

# ---- the runtime without a compiler: the objects of the components that its headers show, and of others what these need
set(runtime_objects)
foreach(component IN ITEMS support host devices bundle c_base)
  list(APPEND runtime_objects $<TARGET_OBJECTS:kiln_${component}>)
endforeach()
add_library(kiln_runtime_shared SHARED ${runtime_objects} "${PROJECT_SOURCE_DIR}/tools/runtime/feature.cpp")
foreach(language cxx c)
  add_library(kiln_runtime_${language} INTERFACE)
  target_link_libraries(kiln_runtime_${language} INTERFACE kiln_runtime_shared)
endforeach()
target_compile_features(kiln_runtime_cxx INTERFACE cxx_std_20)
add_library(Kiln::runtime ALIAS kiln_runtime_cxx)
add_library(Kiln::runtime_c ALIAS kiln_runtime_c)
set_target_properties(kiln_runtime_cxx PROPERTIES EXPORT_NAME runtime)
set_target_properties(kiln_runtime_c PROPERTIES EXPORT_NAME runtime_c)
set_target_properties(kiln_runtime_shared PROPERTIES
  OUTPUT_NAME kiln-runtime EXPORT_NAME runtime_shared LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 0
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib" LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/libkiln-runtime.map")
target_include_directories(kiln_runtime_shared PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
target_link_libraries(kiln_runtime_shared PRIVATE kiln_build_flags $<LINK_ONLY:kiln_abi> TBB::tbb fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
link_shared_library(kiln_runtime_shared "${CMAKE_CURRENT_LIST_DIR}/libkiln-runtime.map")

# ---- the archive
add_library(kiln_static STATIC ${objects})
add_library(Kiln::kiln_static ALIAS kiln_static)
set_target_properties(kiln_static PROPERTIES LINKER_LANGUAGE CXX ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_include_directories(kiln_static INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
target_compile_features(kiln_static INTERFACE cxx_std_20)
target_link_libraries(kiln_static PRIVATE $<BUILD_INTERFACE:kiln_build_flags> INTERFACE ${outside})

# Two Kilns in one program would be two worlds and two LLVMs, and Kiln::kiln has all that Kiln::runtime has: CMake refuses to link both.
foreach(library shared static runtime_shared)
  set_target_properties(kiln_${library} PROPERTIES INTERFACE_KILN_LINKAGE ${library})
  set_property(TARGET kiln_${library} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING KILN_LINKAGE)
endforeach()
