// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine.h"

#include "library.h"
#include "lower.h"

#include <atomic>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace kiln::python {

namespace {

std::mutex opening;
std::atomic<Engine *> engine{nullptr};

} // namespace

int Engine::generation = 0;
std::optional<std::string> Engine::cache_dir;
std::optional<std::vector<std::string>> Engine::remote;

Engine *Engine::opened() { return engine.load(std::memory_order_acquire); }

void Engine::forget_after_fork() {
  new (&opening) std::mutex; // a thread of the parent process may hold the old mutex
  engine.store(nullptr, std::memory_order_release);
  generation++;
}

Result<Engine *> Engine::get() { return get(/*starts_gpus=*/false); }

Result<Engine *> Engine::get_with_gpus() { return get(/*starts_gpus=*/true); }

Result<Engine *> Engine::get(bool starts_gpus) {
  if (Engine *there = opened()) return there;
  std::lock_guard lock(opening);
  if (Engine *there = opened()) return there;
  auto made = std::unique_ptr<Engine>(new Engine);
  KILN_CHECK(made->open(starts_gpus));
  engine.store(made.release(),
               std::memory_order_release); // never freed: kernels may still run at exit
  return opened();
}

Result<void> Engine::open(bool starts_gpus) {
  SessionOptions options;
  options.warm_up = CompilerConfig{};
  options.cache_dir = cache_dir;
  options.remote = remote;
  KILN_TRY(session_, Session::open(options));
  std::thread gpus;
  if (starts_gpus) try {
      gpus = std::thread([this] { (void)session_->gpus(); }); // the caller reads the result again
    } catch (const std::system_error &) {                     // no thread: the caller starts the driver
    }
  Result<void> loaded = load_library();
  if (gpus.joinable()) gpus.join();
  return loaded;
}

Result<void> Engine::load_library() {
  std::string text; // one module in several files
  const char *check = std::getenv("KILN_CHECK_UNSET");
  const bool checks_unset = check && *check && std::string_view(check) != "0";
  for (const LibraryFile &file : library_files)
    if (checks_unset || file.name != "unset.jl") text += file.text;
  KILN_TRY(LoadSummary loaded, session_->load_library(std::string(library_name), text));
  if (!loaded.notes.empty()) return internal_error(loaded.notes.front());
  KILN_CHECK(session_->define([&](World &world) -> Result<void> {
    world_ = &world;
    library_ = world.module(world.types().symbol("Python"), world.main());
    return {};
  }));
  auto rule = std::make_shared<JoinRule>();
  rule->name = "python.numba";
  rule->version = "1";
  rule->join = join_types;
  KILN_TRY(rule->convert, library("convert"));
  join_ = std::move(rule);
  return {};
}

Result<Value> Engine::library(std::string_view name) {
  std::string full = "py_" + std::string(name);
  {
    std::lock_guard lock(mutex_);
    if (auto found = functions_.find(full); found != functions_.end()) return found->second;
  }
  KILN_TRY(auto value, world_->lookup(*library_, symbol(full), world_->age()));
  if (!value) return internal_error("the library of Python has no function " + full);
  std::lock_guard lock(mutex_);
  functions_.emplace(std::move(full), *value);
  return *value;
}

bool Engine::has_library(std::string_view name) { return library(name).ok(); }

Result<Value> Engine::val(std::string_view text) { return val(Value::symbol(types(), symbol(text))); }

Result<void> Engine::define(const std::shared_ptr<Function> &function) {
  if (function->is_defined.load(std::memory_order_acquire)) return {};
  return session_->define([&](World &world) -> Result<void> {
    KILN_CHECK(define_one(world, function));
    function->is_defined.store(true, std::memory_order_release);
    return {};
  });
}

Result<void> Engine::define_one(World &world, const std::shared_ptr<Function> &function) {
  if (function->value) return {};
  const std::string identity = function->identity.hex() + (function->is_kernel ? "k" : "");
  if (auto found = defined_.find(identity); found != defined_.end()) {
    function->value = found->second->value;
    return {};
  }
  // Each function gets a module of its own, so that functions of equal name do not collide.
  Module *home = world.module(symbol(identity.substr(0, 16)), library_);
  KILN_TRY(function->value, world.function(*home, function->name, function->at));
  defined_.emplace(identity, function); // before its callees: they may call it
  Result<void> defined = define_method(world, *home, function);
  if (!defined.ok()) {
    function->value = Value();
    defined_.erase(identity);
  }
  return defined;
}

Result<void> Engine::define_method(World &world, Module &home, const std::shared_ptr<Function> &function) {
  for (const auto &callee : function->callees) KILN_CHECK(define_one(world, callee));
  MethodDefinition method;
  method.module = &home;
  method.name = function->name;
  for (size_t i = 0; i < function->parameters.size(); i++) {
    Parameter parameter{function->parameters[i].name};
    if (function->is_vararg && i + 1 == function->parameters.size())
      parameter.type = types().vararg(types().builtins().Any);
    method.parameters.push_back(parameter);
  }
  method.at = function->at;
  method.hints = function->hints;
  method.hints.join = join_;
  method.body = [this, function](BodyBuilder &body) { return lower(*this, *function, body); };
  auto defined = define_function(world, std::move(method));
  if (!defined.ok()) return defined.take_error();
  return {};
}

} // namespace kiln::python
