# cmake --install, find_package(Kiln), pkg-config and the Debian packages. One component of the installation is one package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Kiln")
# What names LLVM goes with the archive: the shared library exports nothing of it.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kiln" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT libkiln-dev
  PATTERN extension/llvm EXCLUDE PATTERN extension/llvm.h EXCLUDE PATTERN extension/language/internal EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kiln/extension/llvm" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/kiln/extension"
  COMPONENT libkiln-extension-dev)
install(FILES "${PROJECT_SOURCE_DIR}/include/kiln/extension/llvm.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/kiln/extension"
  COMPONENT libkiln-extension-dev)
install(TARGETS kiln_shared kiln_cxx kiln_c EXPORT KilnTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libkiln0 NAMELINK_COMPONENT libkiln-dev
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS kiln_runtime_shared kiln_runtime_cxx kiln_runtime_c EXPORT KilnRuntimeTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libkiln-runtime0 NAMELINK_COMPONENT libkiln-dev
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT KilnRuntimeTargets NAMESPACE Kiln:: DESTINATION "${cmake_folder}" COMPONENT libkiln-dev)
install(EXPORT KilnTargets NAMESPACE Kiln:: DESTINATION "${cmake_folder}" COMPONENT libkiln-dev)
set(program_packages)
if(KILN_BUILD_PROGRAMS)
  set(program_packages libkiln-programs0)
  install(TARGETS kiln_programs_shared kiln_programs_cxx kiln_programs_c EXPORT KilnProgramsTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libkiln-programs0 NAMELINK_COMPONENT libkiln-dev
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT KilnProgramsTargets NAMESPACE Kiln:: DESTINATION "${cmake_folder}" COMPONENT libkiln-dev)
  install(TARGETS kiln_programs_static EXPORT KilnStaticTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT libkiln-extension-dev)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}-programs" COMPONENT libkiln-programs0)
endif()
install(TARGETS kiln_static EXPORT KilnStaticTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libkiln-extension-dev
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT KilnStaticTargets NAMESPACE Kiln:: DESTINATION "${cmake_folder}" COMPONENT libkiln-extension-dev)
set(command_package)
if(KILN_BUILD_COMMAND)
  set(command_package kiln)
  install(TARGETS kiln RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT kiln)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT libkiln0)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}-runtime" COMPONENT libkiln-runtime0)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/KilnConfig.cmake.in" "${PROJECT_BINARY_DIR}/KilnConfig.cmake"
  INSTALL_DESTINATION "${cmake_folder}" PATH_VARS CMAKE_INSTALL_BINDIR NO_SET_AND_CHECK_MACRO)
# Source compatible within a minor version, as docs/guide/install.md promises.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/KilnConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
# CMake shows the version of a package that it refuses: the way to say why.
file(APPEND "${PROJECT_BINARY_DIR}/KilnConfigVersion.cmake" [[

if(NOT PACKAGE_VERSION_COMPATIBLE AND PACKAGE_FIND_VERSION VERSION_LESS 0.3)
  string(APPEND PACKAGE_VERSION " (the C++ API changed since 0.2; ask for 0.3: docs/guide/migrate-0.3.md)")
endif()
]])
install(FILES "${PROJECT_BINARY_DIR}/KilnConfig.cmake" "${PROJECT_BINARY_DIR}/KilnConfigVersion.cmake" DESTINATION "${cmake_folder}"
  COMPONENT libkiln-dev)
file(RELATIVE_PATH prefix_from_pkgconfig "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
set(pc_name Kiln)
set(pc_library kiln)
set(pc_description "Embeddable GPU JIT compiler")
configure_file("${CMAKE_CURRENT_LIST_DIR}/kiln.pc.in" "${PROJECT_BINARY_DIR}/kiln.pc" @ONLY)
set(pc_name "Kiln runtime")
set(pc_library kiln-runtime)
set(pc_description "Kernels out of a bundle of Kiln's, without a compiler")
configure_file("${CMAKE_CURRENT_LIST_DIR}/kiln.pc.in" "${PROJECT_BINARY_DIR}/kiln-runtime.pc" @ONLY)
if(KILN_BUILD_PROGRAMS)
  set(pc_name "Kiln programs")
  set(pc_library "kiln-programs -lkiln")
  set(pc_description "Whole programs of Julia in a session of Kiln's")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/kiln.pc.in" "${PROJECT_BINARY_DIR}/kiln-programs.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/kiln-programs.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT libkiln-dev)
endif()
install(FILES "${PROJECT_BINARY_DIR}/kiln.pc" "${PROJECT_BINARY_DIR}/kiln-runtime.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT libkiln-dev)

# ---- Debian packages (./x package)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kiln)
set(CPACK_PACKAGE_VENDOR "The Kiln project")
set(CPACK_PACKAGE_CONTACT "the maintainers of Kiln <maintainers@users.noreply.a-seed-45e9386b.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Embeddable GPU JIT compiler")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL ${command_package} libkiln0 libkiln-runtime0 ${program_packages} libkiln-dev libkiln-extension-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib") # libkiln.so, which is in another package
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_KILN_PACKAGE_NAME kiln)
set(CPACK_DEBIAN_KILN_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_KILN_DESCRIPTION "The program kiln: compiles, runs and caches GPU kernels.")
set(CPACK_DEBIAN_LIBKILN0_PACKAGE_NAME libkiln0)
set(CPACK_COMPONENT_LIBKILN0_DESCRIPTION "Kiln's compiler and its runtime as a shared library.")
set(CPACK_DEBIAN_LIBKILN-RUNTIME0_PACKAGE_NAME libkiln-runtime0)
set(CPACK_COMPONENT_LIBKILN-RUNTIME0_DESCRIPTION "Runs kernels out of a bundle, without a compiler.")
set(CPACK_DEBIAN_LIBKILN-PROGRAMS0_PACKAGE_NAME libkiln-programs0)
set(CPACK_DEBIAN_LIBKILN-PROGRAMS0_PACKAGE_DEPENDS "libkiln0 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_LIBKILN-PROGRAMS0_DESCRIPTION "Runs whole programs and packages of Julia with libkiln.")
set(CPACK_DEBIAN_LIBKILN-DEV_PACKAGE_NAME libkiln-dev)
set(CPACK_DEBIAN_LIBKILN-DEV_PACKAGE_SECTION libdevel)
set(dev_packages libkiln0 libkiln-runtime0 ${program_packages})
list(TRANSFORM dev_packages APPEND " (= ${PROJECT_VERSION})")
list(JOIN dev_packages ", " CPACK_DEBIAN_LIBKILN-DEV_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_LIBKILN-DEV_DESCRIPTION "Headers and build files for programs in C and C++ that embed Kiln.")
set(CPACK_DEBIAN_LIBKILN-EXTENSION-DEV_PACKAGE_NAME libkiln-extension-dev)
set(CPACK_DEBIAN_LIBKILN-EXTENSION-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBKILN-EXTENSION-DEV_PACKAGE_DEPENDS
  "libkiln-dev (= ${PROJECT_VERSION}), llvm-22-dev, libtbb-dev, libfmt-dev, libzstd-dev, libpcre2-dev")
set(CPACK_COMPONENT_LIBKILN-EXTENSION-DEV_DESCRIPTION "Kiln as an archive, for targets and passes outside its tree, with LLVM 22.")
include(CPack)
