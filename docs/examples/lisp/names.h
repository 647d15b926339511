// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves names: first in the language's library, then in the program, then as a Julia program would. A path
// ("CUDA.threadIdx_x") is a name in Julia's modules; %name is one of Kiln's intrinsics.
#pragma once

#include "reader.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace lisp {

/// Type variables of a definition, by name.
using TypeVariables = std::vector<const kiln::TypeVar *>;

class Names {
public:
  explicit Names(kiln::World &world);
  kiln::World &world;
  kiln::TypeContext &types;
  kiln::Module &library; ///< the root module of the language

  /// The module for a definition of `name` written in `into`: the library's, for names of the library.
  kiln::Module &home(kiln::Module &into, kiln::Symbol name);
  /// Marks a name as the library's. Call it while the library is loaded; not thread-safe.
  void add_to_library(kiln::Symbol name) { own_.insert(name); }

  /// An operand for a name that is not a local variable.
  kiln::Result<kiln::Operand> operand(kiln::BodyBuilder &body, kiln::Module &into, const Node &name);
  kiln::Result<kiln::Value> value(kiln::Module &into, const Node &name);

  /// Reads a type: a name, (Array T), (Array T N), (Tuple T...), (Union T...), (Type T), or (Name
  /// parameters...). In a signature, an Array may be in any memory; elsewhere it is an argument of a launch.
  kiln::Result<kiln::TypeRef> type(kiln::Module &into, const Node &node, const TypeVariables &variables = {},
                                   bool in_signature = true);
  /// Formats a type in this language.
  std::string text(kiln::TypeRef type) const;
  std::string text(const kiln::Value &value) const;

private:
  kiln::Error error(const Node &at, kiln::ErrorCode code, std::string message, std::string hint = {}) {
    return fault(world.sources(), at, code, std::move(message), std::move(hint));
  }
  std::unordered_set<kiln::Symbol> own_;
  std::unordered_map<std::string_view, kiln::Intrinsic> intrinsics_;
  std::unordered_map<kiln::TypeRef, std::string_view> aliases_;
};

} // namespace lisp
