// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs: statements on the host, array expressions as kernels.
#pragma once

#include "language.h"

#include <kiln/kiln.h>

#include <functional>
#include <map>

namespace infix {

/// Not thread-safe.
class Program {
public:
  /// `device`: "cpu" or "cuda". Errors: Session::open's, Usage, Machine.
  static kiln::Result<std::unique_ptr<Program>> open(std::string_view device,
                                                     kiln::SessionOptions options = {});

  /// Runs all statements of a text. Error: the first statement's that fails, with its place.
  kiln::Result<void> run(const std::string &name, const std::string &text);

  kiln::Session &session() { return *session_; }
  std::function<void(std::string_view)> print; ///< prints a line
  /// Receives the PTX of each kernel that runs, even without a GPU. If empty, no PTX is made.
  std::function<void(const std::string &)> on_ptx;

private:
  /// An array expression with its captured values.
  struct Expression {
    kiln::Value closure;
    int64_t length = -1; ///< of its arrays; -1: no arrays
  };
  kiln::Result<void> statement(const Node &node);
  kiln::Result<bool> condition(const Node &node);
  kiln::Result<kiln::Value> value(const Node &node);
  kiln::Result<kiln::Value> of_arrays(const Node &node);
  kiln::Result<Expression> close(const Node &node);
  kiln::Result<void> capture(const Node &node, bool is_whole, std::vector<kiln::Symbol> &names,
                             std::vector<kiln::Value> &values, int64_t &length);
  kiln::Result<kiln::TypeRef> element_type(const Expression &expression, const Node &node);
  kiln::Result<kiln::Value> new_array(kiln::TypeRef element, int64_t length);
  kiln::Result<void> launch(std::string_view kernel, int64_t blocks,
                            const std::vector<kiln::Value> &arguments);
  kiln::Error error(const Node &at, std::string message);

  std::unique_ptr<kiln::Session> session_;
  Language *language_ = nullptr; ///< owned by the session
  kiln::Device device_;
  std::map<std::string, kiln::Value> variables_;
  std::vector<std::unique_ptr<std::vector<Node>>> texts_;
  std::map<const Node *, kiln::TypeRef> closures_; ///< types of expressions that ran
  std::map<std::string, int> texts_seen_;          ///< number of occurrences of each expression's text
};

} // namespace infix
