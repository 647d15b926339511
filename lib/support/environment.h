// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that reads the environment (test/structure/check.py forbids getenv elsewhere). A program that
// runs with more rights than its caller (setuid, setgid, file capabilities) reads none of it: whoever starts
// it chooses the values.
#pragma once

#include <kiln/export.h>

#include <optional>
#include <string>

namespace kiln {

/// Its value; nothing if it is not set, in such a program, and within EnvironmentScope(false).
std::optional<std::string> environment_variable(const char *name);
/// The same, "" in place of nothing.
KILN_PROGRAMS_API std::string environment_text(const char *name);

/// Whether the calling thread may read the environment as long as this lives: a session's calls say what
/// SessionOptions::use_environment does. What they call (the target's search for a toolkit, the driver's
/// name) need not know the session. They nest: where an outer one forbids it, it stays forbidden.
class EnvironmentScope {
public:
  explicit EnvironmentScope(bool allowed);
  ~EnvironmentScope();
  EnvironmentScope(const EnvironmentScope &) = delete;
  EnvironmentScope &operator=(const EnvironmentScope &) = delete;
  static bool is_allowed(); ///< on the calling thread

private:
  const bool before_;
};

} // namespace kiln
