# cmake --install, find_package(Kiln), pkg-config and the Debian packages. Each installation component is one package. Debian packages
# have components of their own, "deb-" and the name, because their libraries go to Debian's architecture folder.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(packages libkiln0 libkiln-runtime0 libkiln-dev libkiln-extension-dev)
if(KILN_BUILD_PROGRAMS)
  list(INSERT packages 2 libkiln-programs0)
endif()
if(KILN_BUILD_AGENT)
  list(PREPEND packages kiln-agent)
endif()
if(KILN_BUILD_COMMAND)
  list(PREPEND packages kiln)
endif()

# find_package accepts the requested minor version only: Kiln is source compatible within one (docs/guide/install.md).
write_basic_package_version_file("${PROJECT_BINARY_DIR}/KilnConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
# If find_package rejects this version, CMake prints PACKAGE_VERSION, so append the reason to that variable.
file(APPEND "${PROJECT_BINARY_DIR}/KilnConfigVersion.cmake" [[

if(NOT PACKAGE_VERSION_COMPATIBLE AND PACKAGE_FIND_VERSION VERSION_LESS 0.3)
  string(APPEND PACKAGE_VERSION " (the C++ API changed since 0.2; ask for 0.3: docs/guide/migrate-0.3.md)")
endif()
]])

# install_kiln(LIBDIR PREFIX [EXCLUDE_FROM_ALL]): headers, libraries and build files; PREFIX precedes the component names.
function(install_kiln libdir prefix)
  set(excluded ${ARGN})
  set(cmake_folder "${libdir}/cmake/Kiln")
  set(include "${CMAKE_INSTALL_INCLUDEDIR}")
  # Headers that use LLVM belong to the archive: the shared library exports no LLVM symbols.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kiln" DESTINATION "${include}" COMPONENT ${prefix}libkiln-dev ${excluded}
    PATTERN extension/llvm EXCLUDE PATTERN extension/llvm.h EXCLUDE PATTERN extension/language/internal EXCLUDE)
  install(FILES "${kiln_language_abi}" DESTINATION "${include}/kiln/extension/language" COMPONENT ${prefix}libkiln-dev ${excluded})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kiln/extension/llvm" DESTINATION "${include}/kiln/extension"
    COMPONENT ${prefix}libkiln-extension-dev ${excluded})
  install(FILES "${PROJECT_SOURCE_DIR}/include/kiln/extension/llvm.h" DESTINATION "${include}/kiln/extension"
    COMPONENT ${prefix}libkiln-extension-dev ${excluded})

  # install_shared(SET PACKAGE TARGET...): installs shared libraries into PACKAGE, and exports their targets in SET.cmake.
  macro(install_shared set package)
    install(TARGETS ${ARGN} EXPORT ${prefix}${set} LIBRARY DESTINATION "${libdir}" COMPONENT ${prefix}${package} ${excluded}
      NAMELINK_COMPONENT ${prefix}libkiln-dev INCLUDES DESTINATION "${include}")
    install(EXPORT ${prefix}${set} FILE ${set}.cmake NAMESPACE Kiln:: DESTINATION "${cmake_folder}" COMPONENT ${prefix}libkiln-dev ${excluded})
  endmacro()
  install_shared(KilnTargets libkiln0 kiln_shared kiln_cxx kiln_c)
  install_shared(KilnRuntimeTargets libkiln-runtime0 kiln_runtime_shared kiln_runtime_cxx kiln_runtime_c)
  set(archives kiln_static)
  if(KILN_BUILD_PROGRAMS)
    install_shared(KilnProgramsTargets libkiln-programs0 kiln_programs_shared kiln_programs_cxx kiln_programs_c)
    list(APPEND archives kiln_programs_static)
  endif()
  install(TARGETS ${archives} EXPORT ${prefix}KilnStaticTargets ARCHIVE DESTINATION "${libdir}" COMPONENT ${prefix}libkiln-extension-dev ${excluded}
    INCLUDES DESTINATION "${include}")
  install(EXPORT ${prefix}KilnStaticTargets FILE KilnStaticTargets.cmake NAMESPACE Kiln:: DESTINATION "${cmake_folder}"
    COMPONENT ${prefix}libkiln-extension-dev ${excluded})
  if(KILN_BUILD_COMMAND)
    install(TARGETS kiln RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${prefix}kiln ${excluded})
  endif()
  if(KILN_BUILD_AGENT)
    install(TARGETS kiln_agent_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${prefix}kiln-agent ${excluded})
  endif()

  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/KilnConfig.cmake.in" "${PROJECT_BINARY_DIR}/${prefix}KilnConfig.cmake"
    INSTALL_DESTINATION "${cmake_folder}" PATH_VARS CMAKE_INSTALL_BINDIR NO_SET_AND_CHECK_MACRO)
  install(FILES "${PROJECT_BINARY_DIR}/${prefix}KilnConfig.cmake" DESTINATION "${cmake_folder}" RENAME KilnConfig.cmake
    COMPONENT ${prefix}libkiln-dev ${excluded})
  install(FILES "${PROJECT_BINARY_DIR}/KilnConfigVersion.cmake" DESTINATION "${cmake_folder}" COMPONENT ${prefix}libkiln-dev ${excluded})
  file(RELATIVE_PATH prefix_from_pkgconfig "/prefix/${libdir}/pkgconfig" "/prefix")
  macro(install_pc name pc_name pc_library pc_description)
    set(pc_name "${pc_name}")
    set(pc_library "${pc_library}")
    set(pc_description "${pc_description}")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/kiln.pc.in" "${PROJECT_BINARY_DIR}/${prefix}${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${prefix}${name}.pc" DESTINATION "${libdir}/pkgconfig" RENAME ${name}.pc
      COMPONENT ${prefix}libkiln-dev ${excluded})
  endmacro()
  install_pc(kiln "Kiln" "kiln" "Embeddable GPU JIT compiler")
  install_pc(kiln-runtime "Kiln runtime" "kiln-runtime" "Kernels out of a bundle of Kiln's, without a compiler")
  if(KILN_BUILD_PROGRAMS)
    install_pc(kiln-programs "Kiln programs" "kiln-programs -lkiln" "Whole programs of Julia in a session of Kiln's")
  endif()
endfunction()
install_kiln("${CMAKE_INSTALL_LIBDIR}" "")
set(debian_libdir "${CMAKE_INSTALL_LIBDIR}")
if(CMAKE_LIBRARY_ARCHITECTURE)
  set(debian_libdir "lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
install_kiln("${debian_libdir}" deb- EXCLUDE_FROM_ALL)

# ---- python3-kiln, only as a Debian package: elsewhere, pip installs the Python package with its own copy of libkiln
if(TARGET kiln_python)
  set(python_folder lib/python3/dist-packages/kiln)
  set(python_package COMPONENT deb-python3-kiln EXCLUDE_FROM_ALL)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/kiln/" DESTINATION ${python_folder} ${python_package} PATTERN __pycache__ EXCLUDE)
  install(TARGETS kiln_python LIBRARY DESTINATION ${python_folder} ${python_package})
  install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_folder}/$<TARGET_FILE_NAME:kiln_python>\")" ${python_package})
endif()

# ---- documents of each package: the licence, and notices of other projects in its files
find_package(Python3 QUIET COMPONENTS Interpreter)
set(notices "${PROJECT_BINARY_DIR}/notices")
if(Python3_FOUND)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B "${PROJECT_SOURCE_DIR}/tools/package/notices.py" "${notices}" ${packages}
    COMMAND_ERROR_IS_FATAL ANY)
  if(TARGET kiln_python) # this Python has nanobind, whose licence the notices contain
    execute_process(COMMAND ${Python_EXECUTABLE} -B "${PROJECT_SOURCE_DIR}/tools/package/notices.py" "${notices}" python3-kiln
      COMMAND_ERROR_IS_FATAL ANY)
    install(FILES "${notices}/python3-kiln/THIRD-PARTY-NOTICES" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/python3-kiln" ${python_package})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/package/third_party.txt"
    "${PROJECT_SOURCE_DIR}/tools/package/notices.py")
endif()
string(TIMESTAMP built "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH takes precedence if it is set
set(maintainer "the maintainers of Kiln <maintainers@kiln.example>")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/debian/changelog" @ONLY CONTENT "kiln (@PROJECT_VERSION@) unstable; urgency=medium

  * Release @PROJECT_VERSION@: /usr/share/doc/libkiln-doc/CHANGELOG.md says what changed.

 -- @maintainer@  @built@
")
# The licence in Debian's form, which refers to Debian's copy of the Apache License.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" exception)
string(REGEX REPLACE "^.*(---- LLVM Exceptions to the Apache 2.0 License ----)" "\\1" exception "${exception}")
string(STRIP "${exception}" exception)
string(REGEX REPLACE "\n\n+" "\n.\n" exception "${exception}")
string(REPLACE "\n" "\n " exception "${exception}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/debian/copyright" @ONLY CONTENT "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Kiln

Files: *
Copyright: the authors of Kiln
License: Apache-2.0-with-LLVM-exception
 The text of the Apache License 2.0 is /usr/share/common-licenses/Apache-2.0.
 .
 @exception@
Comment: THIRD-PARTY-NOTICES beside this file has the licences of other projects
 whose code is in the package.
")
# Only the prompt needs libedit and ncurses. Dynamic linking would slow down each start of the program (docs/dependencies.md).
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/debian/overrides/kiln" CONTENT "kiln: embedded-library ncurses *\n")
find_program(GZIP gzip)
if(GZIP)
  execute_process(COMMAND ${GZIP} -9nkf "${PROJECT_BINARY_DIR}/debian/changelog" COMMAND_ERROR_IS_FATAL ANY)
endif()
set(papered ${packages} libkiln-doc)
if(TARGET kiln_python)
  list(APPEND papered python3-kiln)
endif()
foreach(package IN LISTS papered)
  set(folder "${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}")
  if(package IN_LIST packages)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${folder}" COMPONENT ${package})
    if(Python3_FOUND)
      install(FILES "${notices}/${package}/THIRD-PARTY-NOTICES" DESTINATION "${folder}" COMPONENT ${package})
      install(FILES "${notices}/${package}/THIRD-PARTY-NOTICES" DESTINATION "${folder}" COMPONENT deb-${package} EXCLUDE_FROM_ALL)
    endif()
  endif()
  install(FILES "${PROJECT_BINARY_DIR}/debian/copyright" DESTINATION "${folder}" COMPONENT deb-${package} EXCLUDE_FROM_ALL)
  install(FILES "${PROJECT_BINARY_DIR}/debian/changelog.gz" DESTINATION "${folder}" COMPONENT deb-${package} EXCLUDE_FROM_ALL OPTIONAL)
endforeach()

if(KILN_BUILD_COMMAND)
  install(FILES "${PROJECT_BINARY_DIR}/debian/overrides/kiln" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides" COMPONENT deb-kiln
    EXCLUDE_FROM_ALL)
endif()

# ---- libkiln-doc: the pages, the examples, and man pages from the program's own help
set(doc "${CMAKE_INSTALL_DATAROOTDIR}/doc/libkiln-doc")
foreach(prefix IN ITEMS "" deb-)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${doc}" COMPONENT ${prefix}libkiln-doc EXCLUDE_FROM_ALL
    PATTERN CMakeLists.txt EXCLUDE PATTERN Doxyfile EXCLUDE PATTERN site.py EXCLUDE PATTERN examples EXCLUDE PATTERN measurements EXCLUDE
    PATTERN .gitignore EXCLUDE)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/examples" DESTINATION "${doc}" COMPONENT ${prefix}libkiln-doc EXCLUDE_FROM_ALL
    PATTERN .gitignore EXCLUDE)
  install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${doc}" COMPONENT ${prefix}libkiln-doc EXCLUDE_FROM_ALL)
  if(KILN_BUILD_COMMAND AND Python3_FOUND)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/man/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT ${prefix}libkiln-doc EXCLUDE_FROM_ALL)
  endif()
endforeach()
if(KILN_BUILD_COMMAND AND Python3_FOUND)
  set(man_stamp "${PROJECT_BINARY_DIR}/man/stamp")
  set(more_programs)
  set(more_files)
  if(KILN_BUILD_AGENT)
    set(more_programs kiln_agent_program)
    set(more_files $<TARGET_FILE:kiln_agent_program>)
  endif()
  add_custom_command(OUTPUT "${man_stamp}" VERBATIM COMMENT "Writing man pages" DEPENDS kiln ${more_programs} "${PROJECT_SOURCE_DIR}/tools/package/man.py"
    COMMAND ${Python3_EXECUTABLE} -B "${PROJECT_SOURCE_DIR}/tools/package/man.py" "$<TARGET_FILE:kiln>" "${PROJECT_BINARY_DIR}/man/man1"
            ${more_files}
    COMMAND ${CMAKE_COMMAND} -E touch "${man_stamp}")
  add_custom_target(kiln_man ALL DEPENDS "${man_stamp}")
endif()

# ---- completion scripts, from the program's own commands and options
if(KILN_BUILD_COMMAND)
  set(completions "${PROJECT_BINARY_DIR}/completions")
  file(MAKE_DIRECTORY "${completions}")
  foreach(shell IN ITEMS bash zsh fish)
    add_custom_command(OUTPUT "${completions}/kiln.${shell}" VERBATIM COMMENT "Writing the completion script of ${shell}" DEPENDS kiln
      COMMAND kiln completion ${shell} > "${completions}/kiln.${shell}")
  endforeach()
  add_custom_target(kiln_completions ALL DEPENDS "${completions}/kiln.bash" "${completions}/kiln.zsh" "${completions}/kiln.fish")
  # install_completions(COMPONENT ZSH_FOLDER [EXCLUDE_FROM_ALL])
  function(install_completions component zsh_folder)
    set(data "${CMAKE_INSTALL_DATAROOTDIR}")
    install(FILES "${completions}/kiln.bash" DESTINATION "${data}/bash-completion/completions" RENAME kiln COMPONENT ${component} ${ARGN})
    install(FILES "${completions}/kiln.zsh" DESTINATION "${data}/zsh/${zsh_folder}" RENAME _kiln COMPONENT ${component} ${ARGN})
    install(FILES "${completions}/kiln.fish" DESTINATION "${data}/fish/vendor_completions.d" COMPONENT ${component} ${ARGN})
  endfunction()
  install_completions(kiln site-functions)
  install_completions(deb-kiln vendor-completions EXCLUDE_FROM_ALL) # Debian leaves site-functions to the administrator
endif()

# ---- Debian packages (./x package)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kiln)
set(CPACK_PACKAGE_VENDOR "The Kiln project")
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Embeddable GPU JIT compiler")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib") # finds libkiln.so, which is in another package
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_POST_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/FinishDebian.cmake")
set(CPACK_COMPONENTS_ALL)

# debian_package(NAME SECTION DESCRIPTION [DEPENDS dependency...])
function(debian_package name section description)
  cmake_parse_arguments(PACKAGE "" "" DEPENDS ${ARGN})
  string(TOUPPER "deb-${name}" component)
  list(JOIN PACKAGE_DEPENDS ", " depends)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} deb-${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${component}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${component}_DESCRIPTION "${description}" PARENT_SCOPE)
endfunction()
set(same "(= ${PROJECT_VERSION})")
set(libraries "libkiln0 ${same}" "libkiln-runtime0 ${same}")
debian_package(libkiln0 libs "Kiln's compiler and its runtime as a shared library.")
debian_package(libkiln-runtime0 libs "Runs kernels out of a bundle, without a compiler.")
if(KILN_BUILD_PROGRAMS)
  debian_package(libkiln-programs0 libs "Runs whole programs and packages of Julia with libkiln." DEPENDS "libkiln0 ${same}")
  list(APPEND libraries "libkiln-programs0 ${same}")
endif()
if(KILN_BUILD_COMMAND)
  debian_package(kiln devel "The program kiln: compiles, runs and caches GPU kernels.")
endif()
if(KILN_BUILD_AGENT)
  debian_package(kiln-agent devel "The program kiln-agent: connects Kiln's sessions with remote caches.")
endif()
debian_package(libkiln-dev libdevel "Headers and build files for programs in C and C++ that embed Kiln." DEPENDS ${libraries})
debian_package(libkiln-extension-dev libdevel "Kiln as an archive, for targets and passes outside its tree, with LLVM 22."
  DEPENDS "libkiln-dev ${same}" llvm-22-dev libtbb-dev libfmt-dev libzstd-dev libpcre2-dev)
if(TARGET kiln_python)
  string(REPLACE "." ";" python_version "${KILN_PYTHON_VERSION}")
  list(GET python_version 1 minor)
  math(EXPR minor "${minor} + 1")
  debian_package(python3-kiln python "Compiles and runs kernels of Python, as numba.cuda has them, on CPUs and NVIDIA GPUs."
    DEPENDS "libkiln0 ${same}" "python3 (>= ${KILN_PYTHON_VERSION})" "python3 (<< 3.${minor})" python3-numpy)
endif()
debian_package(libkiln-doc doc "Guides, examples and man pages of Kiln.")
set(CPACK_DEBIAN_DEB-LIBKILN-DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEB-LIBKILN-DOC_PACKAGE_SHLIBDEPS OFF)
include(CPack)
