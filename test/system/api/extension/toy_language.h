// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A language without text: a session in which tests define functions by C++, through kiln/extension/language
// alone, and call them as plain functions on the CPU.
#pragma once

#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>

#include <cstring>
#include <initializer_list>

namespace kiln::test {

struct Toy {
  World *world = nullptr;
  std::unique_ptr<Session> session;
  Module *module = nullptr;

  explicit Toy(const std::string &cache_dir = {}) {
    SessionOptions options;
    options.cache_dir = cache_dir;
    options.verbosity = LogLevel::Error;
    session = must(Session::open(options));
    must(session->define([&](World &w) -> Result<void> {
      world = &w;
      module = w.module(w.types().symbol("Toy"), nullptr);
      return {};
    }));
  }
  TypeContext &types() { return world->types(); }
  const TypeContext::Builtins &t() { return types().builtins(); }
  Symbol symbol(std::string_view text) { return types().symbol(text); }

  /// A text of the language's, for places; span(2, 5) is bytes 2 to 4 of it.
  Span span(uint32_t begin, uint32_t end) const { return {file_->id(), begin, end}; }
  void source(std::string_view name, std::string_view text) {
    file_ = world->sources().add(std::string(name), std::string(text));
  }

  MethodDefinition method(std::string_view name, std::vector<TypeRef> parameters, BuildBody body) {
    MethodDefinition made;
    made.module = module;
    made.name = symbol(name);
    for (TypeRef type : parameters)
      made.parameters.push_back({symbol("p" + std::to_string(made.parameters.size() + 1)), type});
    made.body = std::move(body);
    return made;
  }
  const Method &define(MethodDefinition definition) {
    const Method *made = nullptr;
    must(session->define([&](World &w) -> Result<void> {
      KILN_TRY(made, define_function(w, std::move(definition)));
      return {};
    }));
    return *made;
  }
  const Method &define(std::string_view name, std::vector<TypeRef> parameters, BuildBody body) {
    return define(method(name, std::move(parameters), std::move(body)));
  }
  Value function(std::string_view name) { return must(find_value(*world, "Toy." + std::string(name))); }

  Job job(std::string_view name, std::vector<TypeRef> arguments, CompilerConfig config = {}) {
    config.kernel = false;
    return must(kiln::job(*session, call_of(*world, function(name), arguments), config));
  }
  std::string type(std::string_view name, std::vector<TypeRef> arguments) {
    return must(job(name, std::move(arguments)).return_type());
  }
  std::string text(std::string_view name, std::vector<TypeRef> arguments, ArtifactKind kind) {
    return must(job(name, std::move(arguments)).compile(kind))->bytes;
  }
  /// The error of compiling it.
  Error error(std::string_view name, std::vector<TypeRef> arguments) {
    auto made = job(name, std::move(arguments)).compile(ArtifactKind::Object);
    if (made.ok()) FAIL(name << " compiles");
    return made.take_error();
  }
  template <class R, class... A> R call(std::string_view name, std::vector<TypeRef> of, A... arguments) {
    HostFunction made = must(job(name, std::move(of)).prepare_function());
    REQUIRE(made.artifact().return_size == sizeof(R));
    R result{};
    std::vector<const void *> given{&arguments...};
    must(made.call(given, &result));
    return result;
  }

private:
  std::shared_ptr<const SourceFile> file_;
};

} // namespace kiln::test
