// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's Frontend: types, operators, definitions, and the spelling of messages.
#pragma once

#include "lower.h"

namespace infix {

class Language final : public kiln::Frontend {
public:
  explicit Language(const kiln::LanguageHost &host);

  std::string_view name() const override { return "infix"; }
  std::vector<std::string_view> file_extensions() const override { return {".infix"}; }
  kiln::Result<void> load_library(kiln::World &, std::span<const kiln::OverlayFiles>) override;
  kiln::Result<kiln::LoadReport> load(kiln::World &, kiln::Module &into,
                                      std::shared_ptr<const kiln::SourceFile> file) override;
  kiln::Result<kiln::LoadReport> load_overlay(kiln::World &, kiln::Module &, kiln::Symbol,
                                              std::shared_ptr<const kiln::SourceFile>) override;
  kiln::Result<kiln::Value> evaluate(kiln::World &, kiln::Module &in, std::string_view name,
                                     std::string_view text) override;
  kiln::Result<kiln::ResolvedCall> resolve_call(kiln::World &, kiln::Module &in, std::string_view name,
                                                std::string_view text,
                                                std::span<const kiln::Capture>) override;
  std::string call_text(kiln::TypeRef tuple) const override;
  std::string call_text(std::span<const kiln::TypeRef> types) const; ///< with the function's type first
  std::shared_ptr<const kiln::Printer> printer() const override;

  /// Defines a fn or kernel. Errors: Input, with the place.
  kiln::Result<void> define(kiln::Module &into, const Node &function);
  /// Defines an array expression as a closure over these names. Its call with an index returns that element.
  /// Returns its type. `identity`: unique to the expression, and equal in every process.
  kiln::Result<kiln::TypeRef> define_expression(const Node &expression, std::vector<kiln::Symbol> captures,
                                                const std::string &identity);
  /// The value of a function of the library, else of the program.
  kiln::Result<kiln::Value> function(std::string_view name);
  /// Formats a type: f32, [f64].
  std::string text(kiln::TypeRef type) const;
  std::string text(const kiln::Value &value) const;
  /// Moves errors inside the prelude to the line of the program that called it.
  kiln::Error at_own_places(kiln::Error error) const;

  kiln::World &world;
  kiln::TypeContext &types;
  kiln::Interpreter &interpreter;

private:
  Scope scope(kiln::Module &into) const { return {world, library_, into, library_names_}; }
  kiln::Result<kiln::TypeRef> read_type(const Node &parameter, std::vector<const kiln::TypeVar *> &where);
  kiln::Result<void> define_join();
  kiln::Module &library_;
  std::unordered_set<kiln::Symbol> library_names_;
  std::vector<std::pair<std::string, kiln::TypeRef>> names_of_types_; ///< "f32", Float32
  std::shared_ptr<kiln::JoinRule> numbers_; ///< join of different number types at a variable
  bool in_library_ = false;
};

} // namespace infix
