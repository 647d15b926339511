// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a program's headers match the library. The entry functions are inline and pass the sizes of the
// structures in the program's headers. The library compares them with its own. Headers of another minor
// version do not even link (kiln/version.h).
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <array>
#include <cstddef>
#include <span>

/// For functions that must be compiled with the headers of the program that calls them.
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

/// Headers that a program was compiled with. Valid during a call.
struct ProgramHeaders {
  const char *version; ///< KILN_VERSION
  std::span<const StructureSize> structures;
};

/// Error: Usage, with sizes and versions, if a structure has another size in the library.
KILN_API Result<void> check_headers(const ProgramHeaders &program, std::span<const StructureSize> library);

} // namespace kiln::inline KILN_API_VERSION
