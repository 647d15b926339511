# Writes kiln/extension/language/abi_digest.h: cmake -DINCLUDE=include -DVERSION=0.3.0 -DOUTPUT=abi_digest.h -P language_abi.cmake
# The digest covers the C++ headers for language libraries, including their comments.
file(GLOB headers RELATIVE "${INCLUDE}" "${INCLUDE}/kiln/*.h" "${INCLUDE}/kiln/*.def" "${INCLUDE}/kiln/extension/*.h"
  "${INCLUDE}/kiln/extension/language/*.h" "${INCLUDE}/kiln/extension/language/*.def")
list(FILTER headers EXCLUDE REGEX "^kiln/(c|c_[a-z]+|runtime_c|extension/llvm)\\.h$")
list(SORT headers)
set(digests)
foreach(header IN LISTS headers)
  file(SHA256 "${INCLUDE}/${header}" digest)
  string(APPEND digests "${header} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING "${digest}" 0 16 digest)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made when Kiln is built: identifies the headers that a language library was compiled with
// (kiln/extension/language/library.h).
#pragma once

#define KILN_LANGUAGE_ABI "C++ headers @digest@ of Kiln @VERSION@"
]] @ONLY)
