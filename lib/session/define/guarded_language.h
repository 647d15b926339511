// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wraps an embedder's language so that exceptions of its functions become errors that name the function.
#pragma once

#include <frontend/frontend.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Owns a language and forwards every function of Frontend to it. Reads the language's name and file
/// extensions once. It is as thread-safe as the language.
class GuardedLanguage final : public Frontend {
public:
  /// Wraps `language`. `warn` receives exceptions of call_text, which cannot return an error; the session
  /// then writes calls in Julia's notation. Error: Usage if the language cannot return its name or file
  /// extensions.
  static Result<std::unique_ptr<Frontend>> make(std::unique_ptr<Frontend> language,
                                                std::function<void(std::string_view)> warn);

  std::string_view name() const override { return name_; }
  std::vector<std::string_view> file_extensions() const override {
    return {extensions_.begin(), extensions_.end()};
  }
  Result<void> load_library(World &world, std::span<const OverlayFiles> overlays) override;
  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override;
  Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) override;
  Result<Value> run(World &world, Module &into, std::shared_ptr<const SourceFile> file,
                    const Run &how) override;
  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text,
                                    std::span<const Capture> captures) override;
  Result<ResolvedCall> resolve_launch(World &world, Module &in, std::string_view function,
                                      std::span<const std::string_view> types) override;
  Result<Value> argument_value(World &world, const Value &value) override;
  std::string call_text(TypeRef tuple) const override;
  std::shared_ptr<const Printer> printer() const override;
  Result<LoadReport> load_overlay(World &world, Module &into, Symbol overlay,
                                  std::shared_ptr<const SourceFile> file) override;

private:
  GuardedLanguage(std::unique_ptr<Frontend> language, std::function<void(std::string_view)> warn)
      : language_(std::move(language)), warn_(std::move(warn)) {}
  template <class F> std::invoke_result_t<F> guarded(std::string_view function, F &&call) const;

  std::unique_ptr<Frontend> language_;
  std::function<void(std::string_view)> warn_;
  std::string name_;
  std::vector<std::string> extensions_;
};

} // namespace kiln
