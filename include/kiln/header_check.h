// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a program was compiled with headers that match the library. Entry functions are inline and pass
// the sizes of structures in the program's headers; the library compares them with its own. A program with
// headers of another minor version does not even link (kiln/version.h).
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <array>
#include <cstddef>
#include <span>

/// Marks functions that must always be inlined, so that they are compiled with the calling program's headers.
#if defined(__GNUC__)
#define KILN_HEADER_INLINE [[gnu::always_inline]] inline
#else
#define KILN_HEADER_INLINE inline
#endif

namespace kiln::inline KILN_API_VERSION {

struct StructureSize {
  const char *name;
  size_t size; ///< bytes
};
#define KILN_STRUCTURE(type)                                                                                 \
  StructureSize { #type, sizeof(type) }

/// Version and structure sizes of the headers that a program was compiled with. Valid during a call.
struct ProgramHeaders {
  const char *version; ///< KILN_VERSION
  std::span<const StructureSize> structures;
};

/// Compares the structure sizes of a program with those of the library. Error: Usage, with sizes and
/// versions, if a size differs.
KILN_API Result<void> check_headers(const ProgramHeaders &program, std::span<const StructureSize> library);

} // namespace kiln::inline KILN_API_VERSION
