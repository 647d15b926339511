// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Languages in shared libraries: SessionOptions::language_files.
#pragma once

#include <kiln/session_options.h>

#include <string>
#include <vector>

namespace kiln {

/// A language that a session is to have.
struct OfferedLanguage {
  FrontendFactory make;
  std::string file = {}; ///< the library that it is from; empty: SessionOptions::languages
};

/// Those of SessionOptions::languages, then those of the libraries, which stay loaded. Errors (Usage): a file
/// that is no library of languages, or of another build of Kiln.
Result<std::vector<OfferedLanguage>> offered_languages(const SessionOptions &options);

} // namespace kiln
