// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward declarations of classes of kiln/*.h. Use this header instead of own declarations, which would lack
// the versioned namespace (kiln/version.h) and so declare different classes.
#pragma once

#include <kiln/version.h>

namespace kiln::inline KILN_API_VERSION {

class Session;
struct Artifact;
struct CompilerConfig;
class StopSource;

} // namespace kiln::inline KILN_API_VERSION
