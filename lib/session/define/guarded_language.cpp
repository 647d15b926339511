// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guarded_language.h"

#include <fmt/format.h>
#include <support/exceptions.h>

namespace kiln {

template <class F>
std::invoke_result_t<F> GuardedLanguage::guarded(std::string_view function, F &&call) const {
  return call_embedder([&] { return fmt::format("{} of the language {}", function, name_); }, call);
}

Result<std::unique_ptr<Frontend>> GuardedLanguage::make(std::unique_ptr<Frontend> language,
                                                        std::function<void(std::string_view)> warn) {
  std::unique_ptr<GuardedLanguage> made(new GuardedLanguage(std::move(language), std::move(warn)));
  KILN_CHECK(call_embedder("name of a language", [&]() -> Result<void> {
    made->name_ = made->language_->name();
    return {};
  }));
  KILN_CHECK(made->guarded("file_extensions", [&]() -> Result<void> {
    for (std::string_view extension : made->language_->file_extensions())
      made->extensions_.emplace_back(extension);
    return {};
  }));
  return std::unique_ptr<Frontend>(std::move(made));
}

Result<void> GuardedLanguage::load_library(World &world, std::span<const OverlayFiles> overlays) {
  return guarded("load_library", [&] { return language_->load_library(world, overlays); });
}

Result<LoadReport> GuardedLanguage::load(World &world, Module &into, std::shared_ptr<const SourceFile> file) {
  return guarded("load", [&] { return language_->load(world, into, std::move(file)); });
}

Result<Value> GuardedLanguage::evaluate(World &world, Module &in, std::string_view name,
                                        std::string_view text) {
  return guarded("evaluate", [&] { return language_->evaluate(world, in, name, text); });
}

Result<Value> GuardedLanguage::run(World &world, Module &into, std::shared_ptr<const SourceFile> file,
                                   const Run &how) {
  return guarded("run", [&] { return language_->run(world, into, std::move(file), how); });
}

Result<ResolvedCall> GuardedLanguage::resolve_call(World &world, Module &in, std::string_view name,
                                                   std::string_view text, std::span<const Capture> captures) {
  return guarded("resolve_call", [&] { return language_->resolve_call(world, in, name, text, captures); });
}

Result<ResolvedCall> GuardedLanguage::resolve_launch(World &world, Module &in, std::string_view function,
                                                     std::span<const std::string_view> types) {
  return guarded("resolve_launch", [&] { return language_->resolve_launch(world, in, function, types); });
}

Result<Value> GuardedLanguage::argument_value(World &world, const Value &value) {
  return guarded("argument_value", [&] { return language_->argument_value(world, value); });
}

std::string GuardedLanguage::call_text(TypeRef tuple) const {
  auto text = guarded("call_text", [&]() -> Result<std::string> { return language_->call_text(tuple); });
  if (text.ok()) return std::move(*text);
  warn_(fmt::format("{} (the call is written as Julia's)", text.error().diagnostics()[0].message));
  return Frontend::call_text(tuple);
}

std::shared_ptr<const Printer> GuardedLanguage::printer() const {
  using Made = Result<std::shared_ptr<const Printer>>;
  auto made = guarded("printer", [&]() -> Made { return language_->printer(); });
  if (made.ok()) return std::move(*made);
  warn_(fmt::format("{} (messages are written as Julia's)", made.error().diagnostics()[0].message));
  return nullptr;
}

Result<LoadReport> GuardedLanguage::load_overlay(World &world, Module &into, Symbol overlay,
                                                 std::shared_ptr<const SourceFile> file) {
  return guarded("load_overlay",
                 [&] { return language_->load_overlay(world, into, overlay, std::move(file)); });
}

} // namespace kiln
