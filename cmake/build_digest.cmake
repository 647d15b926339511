# Writes the digest of a build as C++:
#   cmake -DROOT=. "-DPATHS=include;lib/support" "-DFACTS=text" -DLLVM_DIR=... -DSYSROOT=... "-DARCHIVES=a.a;b.a" -DOUT=FILE.cpp -DDEPFILE=FILE.d
#         -P build_digest.cmake
# The digest covers the names and bytes of PATHS, which are files and folders below ROOT, FACTS, and the version of Debian's package of
# LLVM. It is independent of the architecture and the folder of the build, so builds of the same sources for x86-64 and AArch64 share
# entries of a cache. An LLVM that belongs to no package counts by the sizes of its ARCHIVES, which differ between architectures.
# DEPFILE gets the files and the folders, so that a change, a new file and an update of the package make the digest again.
cmake_minimum_required(VERSION 3.25)
set(text "${FACTS}\n")
set(inputs)
foreach(path IN LISTS PATHS)
  if(IS_DIRECTORY "${ROOT}/${path}")
    file(GLOB_RECURSE files LIST_DIRECTORIES true "${ROOT}/${path}/*")
    list(APPEND inputs "${ROOT}/${path}")
  else()
    set(files "${ROOT}/${path}")
  endif()
  list(SORT files)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name "${ROOT}" "${file}")
    if(name MATCHES "(^|/)(\\.|__pycache__)") # hidden files, such as those of editors
      continue()
    endif()
    list(APPEND inputs "${file}")
    if(NOT IS_DIRECTORY "${file}")
      file(SHA256 "${file}" digest)
      string(APPEND text "${digest} ${name}\n")
    endif()
  endforeach()
endforeach()

string(REGEX MATCH "llvm-[0-9]+" package "${LLVM_DIR}")
set(package "${package}-dev")
set(version)
if(EXISTS "${SYSROOT}/packages.txt") # of tools/cross/sysroot.py: file names of Debian packages
  file(STRINGS "${SYSROOT}/packages.txt" version REGEX "^${package}_")
  string(REGEX REPLACE "^[^_]*_(.*)_[^_]*$" "\\1" version "${version}")
  string(REPLACE "%3a" ":" version "${version}")
  list(APPEND inputs "${SYSROOT}/packages.txt")
else()
  execute_process(COMMAND dpkg-query --search "${LLVM_DIR}/LLVMConfig.cmake" OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE status)
  if(status STREQUAL 0 AND owner MATCHES "^${package}[:,]")
    execute_process(COMMAND dpkg-query --show "--showformat=\${Version}" ${package} OUTPUT_VARIABLE version)
    file(GLOB installed "/var/lib/dpkg/info/${package}.list" "/var/lib/dpkg/info/${package}:*.list") # written anew by each update
    list(APPEND inputs ${installed})
  endif()
endif()
if(version)
  string(APPEND text "${package} ${version}\n")
else()
  foreach(archive IN LISTS ARCHIVES)
    file(SIZE "${archive}" size)
    get_filename_component(name "${archive}" NAME)
    string(APPEND text "${size} ${name}\n")
  endforeach()
  list(APPEND inputs ${ARCHIVES})
endif()

string(SHA256 digest "${text}")
string(SUBSTRING "${digest}" 0 16 digest)
file(CONFIGURE OUTPUT "${OUT}" CONTENT [[
// Made by cmake/build_digest.cmake.
#include <string_view>

namespace kiln {
std::string_view build_digest();
std::string_view build_digest() { return "@digest@"; }
} // namespace kiln
]] @ONLY)
list(TRANSFORM inputs REPLACE " " "\\\\ ")
list(JOIN inputs " \\\n  " inputs)
file(WRITE "${DEPFILE}" "${OUT}: ${inputs}\n")
