// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment.h"

#include <cstdlib>

namespace kiln {

// Each launch reads this variable. The TLS model initial-exec avoids a call into the dynamic linker.
[[gnu::tls_model("initial-exec")]] static constinit thread_local bool allowed_here = true;

EnvironmentScope::EnvironmentScope(bool allowed) : before_(allowed_here) {
  allowed_here = before_ && allowed;
}
EnvironmentScope::~EnvironmentScope() { allowed_here = before_; }
bool EnvironmentScope::is_allowed() { return allowed_here; }

std::optional<std::string> environment_variable(const char *name) {
  const char *value = allowed_here ? ::secure_getenv(name) : nullptr;
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::string environment_text(const char *name) { return environment_variable(name).value_or(""); }

} // namespace kiln
