// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to environment variables (test/structure/check.py forbids getenv elsewhere). A program with more
// rights than its caller (setuid, setgid, file capabilities) reads no variables, because the caller chooses
// their values.
#pragma once

#include <kiln/export.h>

#include <optional>
#include <string>

namespace kiln {

/// Returns the value of a variable. No value if it is not set, if the program has more rights than its
/// caller, or inside EnvironmentScope(false).
std::optional<std::string> environment_variable(const char *name);
/// Like environment_variable, but returns "" if there is no value.
KILN_PROGRAMS_API std::string environment_text(const char *name);

/// Allows or forbids the calling thread to read environment variables while the scope lives. Each call of a
/// session opens such a scope with SessionOptions::use_environment, so that code below (the search for a
/// toolkit) need not know the session. Scopes nest: an inner scope cannot allow again what an outer one
/// forbids.
class EnvironmentScope {
public:
  explicit EnvironmentScope(bool allowed);
  ~EnvironmentScope();
  EnvironmentScope(const EnvironmentScope &) = delete;
  EnvironmentScope &operator=(const EnvironmentScope &) = delete;
  static bool is_allowed(); ///< for the calling thread

private:
  const bool before_;
};

} // namespace kiln
