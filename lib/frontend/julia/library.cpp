// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads Kiln's own library on demand. A session first evaluates only the statements that a file's index
// requires at once. All other statements define methods of functions and types that the index names. They are
// evaluated when methods of one of these are looked up.
#include "julia.h"

#include <define/define.h>

#include <kiln/extension/language/internal/interpreter.h>

namespace kiln::julia {

namespace {

/// A library file, and a record of its statements that were evaluated.
struct EmbeddedFile {
  std::shared_ptr<Definitions> shared;
  std::shared_ptr<const SourceFile> file;
  const EmbeddedSource source;
  Symbol overlay;
  std::vector<Module *> modules{};
  std::vector<bool> is_done = std::vector<bool>(source.later.size()); ///< under the World's evaluation lock

  Result<void> evaluate(std::span<const EmbeddedStatement> statements, LoadReport &report) const {
    auto unit = std::make_shared<Unit>(); // an arena of its own: other threads read earlier trees
    unit->file = file;
    std::vector<Syntax *> nodes;
    {
      StageScope parse(shared->timer, Stage::Parse);
      KILN_TRY(nodes, parse_embedded(shared->types, unit->arena, *file, statements));
    }
    auto is_common = [&](size_t i) { return !overlay || statements[i].is_common; };
    // Groups of statements with equal module and overlay.
    for (size_t at = 0, end = 0; at < nodes.size(); at = end) {
      while (end < nodes.size() && statements[end].module == statements[at].module &&
             is_common(end) == is_common(at))
        ++end;
      Syntax *tree =
          unit->arena.make(Head::Toplevel, nodes[at]->at,
                           std::vector(nodes.begin() + ptrdiff_t(at), nodes.begin() + ptrdiff_t(end)));
      KILN_CHECK(Definer(shared, unit, report, is_common(at) ? Symbol() : overlay)
                     .file(*modules[statements[at].module], *tree));
    }
    return {};
  }

  Result<void> define(const EmbeddedCallee &callee) {
    std::vector<EmbeddedStatement> statements;
    for (uint16_t i : callee.statements) // several functions may have methods in one loop
      if (!is_done[i]) {
        is_done[i] = true;
        statements.push_back(source.later[i]);
      }
    LoadReport report;
    KILN_CHECK(evaluate(statements, report));
    return all_resolved(std::move(report));
  }
};

/// Module "Base.FastMath"; created if missing.
Module *module_of_name(Shared &shared, std::string_view name) {
  Module *module = nullptr;
  for (size_t at = 0; at <= name.size();) {
    size_t end = std::min(name.find('.', at), name.size());
    Symbol part = shared.symbol(name.substr(at, end - at));
    Module *root = module ? nullptr : shared.world.find_root_module(part);
    module = root ? root : shared.world.module(part, module);
    at = end + 1;
  }
  return module;
}

} // namespace

/// True for function definitions and loops. Loops in the library only define functions.
static bool only_defines(const Syntax &statement) {
  const Syntax *node = &statement;
  while (node->is(Head::MacroCall) && node->args.size() > 1) {
    static constexpr std::string_view marks[] = {"@inline", "@noinline", "@propagate_inbounds", "@generated",
                                                 "@constprop"};
    if (!std::ranges::count(marks, macro_name(*node).text())) return false;
    node = node->args.back();
  }
  return node->is(Head::For) || is_function_definition(*node);
}

Result<std::vector<JuliaFrontend::TopLevel>> JuliaFrontend::top_level(const Module &into,
                                                                      const SourceFile &file) {
  SyntaxArena arena;
  KILN_TRY(Syntax * tree, parse_file(shared_->types, arena, file));
  std::vector<TopLevel> statements;
  std::function<void(const Syntax &, const std::string &)> collect = [&](const Syntax &node,
                                                                         const std::string &module) {
    for (const Syntax *child : node.args)
      if (child->is(Head::Module))
        collect(*child->args[2], fmt::format("{}.{}", module, child->args[1]->name.text()));
      else
        statements.push_back({child->at, module, only_defines(*child)});
  };
  collect(*tree, into.full_name());
  return statements;
}

Result<LoadReport> JuliaFrontend::load_embedded(Symbol overlay, const EmbeddedSource &source) {
  StageScope stage(shared_->timer, Stage::FrontEnd);
  CompilerWorld &world = shared_->world;
  auto file = std::make_shared<EmbeddedFile>(EmbeddedFile{
      shared_, world.sources().add(std::string(source.name), std::string(source.text), /*is_library=*/true),
      source, overlay});
  for (std::string_view name : source.modules) file->modules.push_back(module_of_name(*shared_, name));
  LoadReport report;
  auto postpone = [&](TypeRef callee, const EmbeddedCallee &wanted) {
    julia::postpone(world, callee, [file, &wanted] { return file->define(wanted); });
  };
  // Postpone methods of functions first, since statements evaluated now may name the functions. Types follow
  // once they exist.
  for (const EmbeddedCallee &callee : source.callees)
    if (callee.is_function) {
      KILN_TRY(Value function,
               world.function(*file->modules[callee.module], shared_->symbol(callee.name), {}));
      postpone(function.type(), callee);
    }
  KILN_CHECK(file->evaluate(source.now, report));
  for (const EmbeddedCallee &callee : source.callees)
    if (!callee.is_function) {
      KILN_TRY(std::optional<Value> bound,
               world.lookup(*file->modules[callee.module], shared_->symbol(callee.name), world.age()));
      if (!bound || !bound->as_type())
        return internal_error(
            fmt::format("the index of {} names a type that is not there: {}", source.name, callee.name));
      postpone(bound->as_type(), callee);
    }
  return report;
}

/// Loads a library file. `must_resolve`: an unresolved definition is an error of the code that triggered the
/// file.
Result<void> JuliaFrontend::load_library_file(const EmbeddedSource &file, Symbol overlay, bool must_resolve) {
  KILN_TRY(LoadReport report, load_embedded(overlay, file));
  if (must_resolve) return all_resolved(std::move(report));
  if (shared_->debug)
    for (const Diagnostic &d : report.unresolved) shared_->debug("runtime library: " + Error(d).what());
  return {};
}

Result<void> JuliaFrontend::load_library(World &world, std::span<const OverlayFiles> overlays) {
  KILN_CHECK(add_host_library(shared_->interpreter));
  KILN_CHECK(add_preferences(shared_));
  Module *device = world.module(shared_->symbol("CUDA"), nullptr);
  const Symbol abstractions_name = shared_->symbol("KernelAbstractions");
  KILN_CHECK(shared_->library.load_at_start());
  KILN_CHECK(world.set_constant(*world.base(), abstractions_name,
                                Value::module(world.types(), world.module(abstractions_name, nullptr)), {}));
  KILN_CHECK(world.set_constant(*world.core(), shared_->symbol("Compiler"),
                                Value::module(world.types(), world.base()), {})); // for its return_type
  for (const OverlayFiles &overlay : overlays)
    for (const EmbeddedSource &file : overlay.files) {
      const bool has_index = !file.modules.empty();
      if (has_index) {
        KILN_CHECK(load_library_file(file, overlay.overlay, /*must_resolve=*/false));
      } else if (file.name.ends_with(".jl")) {
        auto source =
            world.sources().add(std::string(file.name), std::string(file.text), /*is_library=*/true);
        KILN_TRY(LoadReport report, load_overlay(world, *device, overlay.overlay, source));
        KILN_CHECK(all_resolved(std::move(report)));
      }
    }
  world.use_module(*world.main(), *device);
  return {};
}

} // namespace kiln::julia
