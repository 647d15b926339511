// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of kiln/*.h for headers that need no more of them. A forward declaration elsewhere would name another
// class: one without a version (kiln/version.h).
#pragma once

#include <kiln/version.h>

namespace kiln::inline KILN_API_VERSION {

class Session;
struct Artifact;
struct CompilerConfig;
class StopSource;

} // namespace kiln::inline KILN_API_VERSION
