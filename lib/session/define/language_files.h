// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads languages from shared libraries (SessionOptions::language_files).
#pragma once

#include <kiln/session_options.h>

#include <string>
#include <vector>

namespace kiln {

/// A language for a session.
struct OfferedLanguage {
  FrontendFactory make;
  std::string file = {}; ///< its library; empty: from SessionOptions::languages
};

/// Returns the languages of SessionOptions::languages, then those of the shared libraries in
/// SessionOptions::language_files, which stay loaded. Errors (Usage): a file that is no library of languages,
/// or is for another build of Kiln.
Result<std::vector<OfferedLanguage>> offered_languages(const SessionOptions &options);

} // namespace kiln
