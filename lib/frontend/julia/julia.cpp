// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "julia.h"

#include <define/define.h>
#include <kiln/extension/language/internal/member_loader.h>

namespace kiln::julia {

JuliaFrontend::JuliaFrontend(const LanguageHost &host, std::span<const LibraryFile> library,
                             std::span<const LibraryFile> host_files)
    : shared_(std::make_shared<Definitions>(host)) {
  shared_->library.open(library, host_files, [this](const LibraryFile &file) {
    if (shared_->debug && file.waits)
      shared_->debug(fmt::format("runtime library: {} is loaded", file.source.name));
    const OutsideScope outside(*shared_);
    return load_library_file(file.source, file.overlay.empty() ? Symbol() : shared_->symbol(file.overlay),
                             file.waits);
  });
  set_member_loader(shared_->interpreter, [shared = shared_.get()](Symbol name) {
    NameWatch names(shared->watched_names());
    names.see(name.text());
    return shared->load_named(names);
  });
  shared_->load_program_library = [this] { return load_program_library(); };
}
JuliaFrontend::~JuliaFrontend() { set_member_loader(shared_->interpreter, {}); }

void JuliaFrontend::find_packages(PackageSearch search) {
  shared_->packages.resolver.reset();
  if (!search.empty()) shared_->packages.resolver.emplace(std::move(search));
}

namespace {

Result<LoadReport> load_file(const std::shared_ptr<Definitions> &shared, Module &into, Symbol overlay,
                             std::shared_ptr<const SourceFile> file) {
  StageScope stage(shared->timer, Stage::FrontEnd);
  auto unit = std::make_shared<Unit>();
  unit->file = std::move(file);
  LoadReport report;
  KILN_CHECK(Definer(shared, unit, report, overlay).whole_file(into));
  return report;
}

} // namespace

Result<LoadReport> JuliaFrontend::load(World &, Module &into, std::shared_ptr<const SourceFile> file) {
  return load_file(shared_, into, {}, std::move(file));
}

/// Adds the functions by which the library of programs gets texts of expressions, docstrings and names of
/// built-in macros, and loads that library.
Result<void> JuliaFrontend::load_program_library() {
  if (std::exchange(shared_->has_host, true)) return {};
  KILN_CHECK(shared_->interpreter.add_host_function(
      *shared_->world.base(), "__docs",
      [shared = shared_](Interpreter &, std::span<const Value> args) -> Result<Value> {
        if (args.size() != 1) return Value();
        const void *key = doc_key(shared->types, args[0]);
        auto found = key ? shared->docs.find(key) : shared->docs.end();
        return shared->string(found == shared->docs.end() ? std::string() : found->second);
      }));
  KILN_CHECK(shared_->interpreter.add_host_function(
      *shared_->world.base(), "__is_builtin_macro",
      [shared = shared_](Interpreter &, std::span<const Value> args) -> Result<Value> {
        const std::string *name = args.size() == 1 ? args[0].as_string() : nullptr;
        if (!name) return Value();
        return shared->types.boolean(Expander::is_built_in(*name));
      }));
  KILN_CHECK(shared_->interpreter.add_host_function(
      *shared_->world.base(), "__expr_text",
      [shared = shared_](Interpreter &, std::span<const Value> args) -> Result<Value> {
        if (args.empty() || args.size() > 2) return Value();
        if (!args[0].as_expr() && !args[0].as_symbol()) return shared->string(to_string(args[0]));
        SyntaxArena arena;
        const bool lines = args.size() == 2 && args[1].low_bits(); // as Julia prints code
        KILN_TRY(Syntax * syntax,
                 value_to_syntax(*shared, arena, args[0], {}, Shared::max_expansion_nodes, lines));
        return shared->string(to_string(*syntax));
      }));
  return shared_->library.load_for_programs();
}

Result<Value> JuliaFrontend::run(World &, Module &into, std::shared_ptr<const SourceFile> file,
                                 const Run &how) {
  KILN_CHECK(load_program_library());
  auto unit = std::make_shared<Unit>();
  unit->file = std::move(file);
  KILN_TRY(Syntax * tree, shared_->read_file(*unit));
  LoadReport report;
  return Definer(shared_, unit, report, {}).run(into, *tree, how);
}

Result<LoadReport> JuliaFrontend::load_overlay(World &, Module &into, Symbol overlay,
                                               std::shared_ptr<const SourceFile> file) {
  return load_file(shared_, into, overlay, std::move(file));
}

Result<Value> JuliaFrontend::evaluate(World &world, Module &in, std::string_view name,
                                      std::string_view text) {
  StageScope stage(shared_->timer, Stage::FrontEnd);
  auto unit = std::make_shared<Unit>();
  unit->file = world.sources().add(std::string(name), std::string(text));
  KILN_TRY(Syntax * tree, shared_->read_expression(*unit));
  TypeEvaluator evaluator(shared_, in);
  evaluator.set_quick(true);
  if (auto quick = evaluator.value(*tree); quick.ok()) return quick;
  return shared_->interpret(in, *tree);
}

Result<ResolvedCall> JuliaFrontend::resolve_call(World &world, Module &in, std::string_view name,
                                                 std::string_view text, std::span<const Capture> captures) {
  StageScope stage(shared_->timer, Stage::FrontEnd);
  auto unit = std::make_shared<Unit>();
  unit->file = world.sources().add(std::string(name), std::string(text));
  KILN_TRY(Syntax * tree, shared_->read_expression(*unit));
  ResolvedCall job;
  job.at = world.sources().locate(tree->at);
  TypeEvaluator evaluator(shared_, in);
  const Syntax *callee = tree;
  size_t first = 0;
  const Syntax *host = nullptr;
  if (tree->is(Head::Call) && tree->args.size() == 3 && tree->args[0]->is(Head::Identifier) &&
      tree->args[0]->name.text() == "/") { // host/kernel(...)
    host = tree->args[1];
    tree = tree->args[2];
    callee = tree;
  }
  if (tree->is(Head::Call)) {
    callee = tree->args[0];
    first = 1;
  }
  if (host) {
    KILN_TRY(job.function, nested_function(shared_, in, *host, *callee, captures));
  } else {
    KILN_TRY(job.function, evaluator.value(*callee));
  }
  std::vector<TypeRef> all{shared_->types.type_of(job.function)};
  if (first) {
    KILN_TRY(job.arguments, argument_types(*shared_, evaluator, std::span(tree->args).subspan(first)));
  }
  all.insert(all.end(), job.arguments.begin(), job.arguments.end());
  job.tuple = shared_->types.tuple(std::span<const TypeRef>(all));
  return job;
}

} // namespace kiln::julia
