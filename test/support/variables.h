// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of the environment with another value, as long as the object lives.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace kiln::test {

class Variable {
public:
  /// Null: not set.
  Variable(const char *name, const char *value) : name_(name) {
    if (const char *had = std::getenv(name)) before_ = had;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  void set(const char *value) {
    if (value)
      ::setenv(name_.c_str(), value, 1);
    else
      ::unsetenv(name_.c_str());
  }
  const std::string name_;
  std::optional<std::string> before_;
};

} // namespace kiln::test
