// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's Frontend, with the required functions only.
#pragma once

#include "lower.h"

#include <functional>
#include <memory>

namespace lisp {

class Language final : public kiln::Frontend {
public:
  explicit Language(const kiln::LanguageHost &host) : names(host.world), host_(host) {}

  static constexpr std::string_view language_name = "lisp"; ///< for Session::language<Language>()
  std::string_view name() const override { return language_name; }
  std::vector<std::string_view> file_extensions() const override { return {".lisp"}; }
  kiln::Result<void> load_library(kiln::World &world, std::span<const kiln::OverlayFiles> overlays) override;
  kiln::Result<kiln::LoadReport> load(kiln::World &world, kiln::Module &into,
                                      std::shared_ptr<const kiln::SourceFile> file) override;
  kiln::Result<kiln::LoadReport> load_overlay(kiln::World &world, kiln::Module &into, kiln::Symbol overlay,
                                              std::shared_ptr<const kiln::SourceFile> file) override;
  kiln::Result<kiln::Value> evaluate(kiln::World &world, kiln::Module &in, std::string_view name,
                                     std::string_view text) override;
  kiln::Result<kiln::ResolvedCall> resolve_call(kiln::World &world, kiln::Module &in, std::string_view name,
                                                std::string_view text,
                                                std::span<const kiln::Capture>) override;
  kiln::Result<kiln::ResolvedCall> resolve_launch(kiln::World &world, kiln::Module &in,
                                                  std::string_view function,
                                                  std::span<const std::string_view> types) override;
  std::string call_text(kiln::TypeRef tuple) const override;
  std::shared_ptr<const kiln::Printer> printer() const override;

  /// Receives the value of each top-level expression: a REPL prints it.
  std::function<void(const kiln::Value &)> on_value;
  Names names;

private:
  kiln::Result<kiln::TypeRef> argument(kiln::Module &in, const Node &node);
  kiln::LanguageHost host_;
  std::vector<std::string> overlays_; ///< of the session's targets
};

} // namespace lisp
