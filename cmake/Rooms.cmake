# A room is one folder of lib/, targets/ or runtime/host: a static library that opens with one header
# of its own name. A room can include exactly the rooms it names in DEPENDS (and what those reach),
# because each room's headers are reachable only through an include root of its own, a folder under
# the build tree holding one link. So an upward include does not compile; test/structure checks the rest.

# add_room(NAME DEPENDS room... [LLVM] [LINK library...] [FOLDER path])
#   NAME     the room; its library is kiln_<NAME>; its sources are all .cpp files of the folder it is called in
#   DEPENDS  the rooms below it that it includes
#   LLVM     the room may include LLVM headers
#   LINK     further libraries (outside Kiln)
function(add_room name)
  cmake_parse_arguments(ROOM "LLVM" "" "DEPENDS;LINK" ${ARGN})
  set(dir "${CMAKE_CURRENT_SOURCE_DIR}")
  file(GLOB sources CONFIGURE_DEPENDS "${dir}/*.cpp" "${dir}/*.h" "${dir}/*.def")
  set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${dir}" "${root}/${name}" SYMBOLIC)

  set(target "kiln_${name}")
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC "${root}" "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PUBLIC kiln_build_flags ${ROOM_LINK})
  foreach(dep IN LISTS ROOM_DEPENDS)
    target_link_libraries(${target} PUBLIC kiln_${dep})
  endforeach()
  if(ROOM_LLVM)
    target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
    target_link_libraries(${target} PUBLIC kiln_llvm)
    target_precompile_headers(${target} REUSE_FROM kiln_pch_llvm)
  else()
    target_precompile_headers(${target} REUSE_FROM kiln_pch_std)
  endif()
  set_property(GLOBAL APPEND PROPERTY KILN_ROOMS ${name})
  set_property(GLOBAL PROPERTY KILN_ROOM_DEPENDS_${name} "${ROOM_DEPENDS}")
  set_property(GLOBAL PROPERTY KILN_ROOM_DIR_${name} "${dir}")
endfunction()
