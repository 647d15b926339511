// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to environment variables (test/structure/check.py forbids getenv elsewhere). A program with more
// rights than its caller (setuid, setgid, file capabilities) reads none, because the caller chooses the
// values.
#pragma once

#include <kiln/export.h>

#include <optional>
#include <string>

namespace kiln {

/// Value of a variable. Empty if it is not set, in such a program, and inside EnvironmentScope(false).
std::optional<std::string> environment_variable(const char *name);
/// As environment_variable, with "" for an unset variable.
KILN_PROGRAMS_API std::string environment_text(const char *name);

/// Allows or forbids the calling thread to read the environment while the scope lives. A session's calls set
/// it by SessionOptions::use_environment. The called code (the target's search for a toolkit, the driver's
/// name) then need not know the session. Scopes nest: an inner one cannot lift an outer ban.
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
