// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads Kiln's own library on demand. A session first evaluates only the statements that a file's index
// requires at once. All other statements define names of the index, or methods of functions and types. They
// are evaluated when a name, or a method, is first looked up.
#include "julia.h"

#include <define/define.h>

#include <kiln/extension/language/internal/interpreter.h>

namespace kiln::julia {

namespace {

/// A library file, and a record of its statements that were evaluated.
class LoadedFile final : public NameDefiner, public std::enable_shared_from_this<LoadedFile> {
public:
  LoadedFile(std::shared_ptr<Definitions> shared, const EmbeddedSource &source, Symbol overlay,
             std::vector<Module *> modules)
      : shared_(std::move(shared)),
        file_(shared_->world.sources().add_library(std::string(source.name), source.text)), source_(source),
        overlay_(overlay), modules_(std::move(modules)), is_done_(source.later.size()) {}

  /// Postpones the statements that wait, and evaluates the others.
  Result<LoadReport> load() {
    LoadReport report;
    KILN_CHECK(shared_->world.add_names(shared_from_this(), source_.names));
    if (!source_.for_types.empty())
      shared_->world.postpone_for_types(
          [file = shared_from_this()] { return file->evaluate(file->source_.for_types); });
    KILN_CHECK(evaluate(source_.now, report));
    return report;
  }
  Result<void> define(size_t index) override;

private:
  Result<void> evaluate(std::span<const EmbeddedStatement> statements, LoadReport &report) const;
  Result<void> evaluate(std::span<const uint16_t> later);
  std::vector<CallShape> shapes(const EmbeddedMethods &methods);
  Symbol type_name(uint16_t index); ///< of EmbeddedShapes::names; 0: the empty symbol

  std::shared_ptr<Definitions> shared_;
  std::shared_ptr<const SourceFile> file_;
  const EmbeddedSource source_;
  Symbol overlay_;
  std::vector<Module *> modules_;
  std::vector<bool> is_done_;      ///< for each statement of source_.later; under the World's evaluation lock
  std::vector<Symbol> type_names_; ///< as is_done_; empty symbols: not needed yet
};

Result<void> LoadedFile::evaluate(std::span<const EmbeddedStatement> statements, LoadReport &report) const {
  if (statements.empty()) return {};
  auto unit = std::make_shared<Unit>(); // an arena of its own: other threads read earlier trees
  unit->file = file_;
  std::vector<Syntax *> nodes;
  {
    StageScope parse(shared_->timer, Stage::Parse);
    KILN_TRY(nodes, parse_embedded(shared_->types, unit->arena, *file_, statements));
  }
  auto is_common = [&](size_t i) { return !overlay_ || statements[i].is_common; };
  // Groups of statements with equal module and overlay.
  for (size_t at = 0, end = 0; at < nodes.size(); at = end) {
    while (end < nodes.size() && statements[end].module == statements[at].module &&
           is_common(end) == is_common(at))
      ++end;
    Syntax *tree =
        unit->arena.make(Head::Toplevel, nodes[at]->at,
                         std::vector(nodes.begin() + ptrdiff_t(at), nodes.begin() + ptrdiff_t(end)));
    KILN_CHECK(Definer(shared_, unit, report, is_common(at) ? Symbol() : overlay_)
                   .file(*modules_[statements[at].module], *tree));
  }
  return {};
}

Result<void> LoadedFile::evaluate(std::span<const uint16_t> later) {
  std::vector<EmbeddedStatement> statements;
  for (uint16_t i : later) // one statement may define several names
    if (!is_done_[i]) {
      is_done_[i] = true;
      statements.push_back(source_.later[i]);
    }
  LoadReport report;
  KILN_CHECK(evaluate(statements, report));
  return all_resolved(std::move(report));
}

Symbol LoadedFile::type_name(uint16_t index) {
  if (type_names_.empty()) type_names_.resize(source_.shapes.names.size());
  if (index && !type_names_[index]) type_names_[index] = shared_->symbol(source_.shapes.names[index]);
  return type_names_[index];
}

std::vector<CallShape> LoadedFile::shapes(const EmbeddedMethods &methods) {
  std::vector<CallShape> shapes;
  for (const EmbeddedShape &each : source_.shapes.shapes.subspan(methods.first_shape, methods.num_shapes)) {
    CallShape &shape = shapes.emplace_back(CallShape{each.parameters, each.is_vararg, {}});
    for (const EmbeddedHead &head : source_.shapes.heads.subspan(each.first_head, each.num_heads))
      shape.heads.push_back({head.parameter, type_name(head.name), type_name(head.inner)});
  }
  return shapes;
}

Result<void> LoadedFile::define(size_t index) {
  using Kind = EmbeddedName::Kind;
  const EmbeddedName &wanted = source_.names[index];
  CompilerWorld &world = shared_->world;
  Module &module = *modules_[wanted.module];
  const Symbol name = shared_->symbol(wanted.name);
  if (wanted.kind == Kind::Imported) { // not defined: by a file that is not loaded
    const Module &from = *modules_[wanted.from];
    return world.is_defined(from, name) ? world.import_name(module, from, name, name) : Result<void>();
  }
  if (wanted.kind == Kind::Exported) {
    world.export_name(module, name);
    return {};
  }
  TypeRef callee = nullptr;
  if (wanted.kind == Kind::Function) { // its methods may name the function
    KILN_TRY(Value function, world.function(module, name, {}));
    callee = function.type();
  }
  KILN_CHECK(evaluate(wanted.definition));
  if (wanted.methods.empty()) return {};
  if (!callee) {
    KILN_TRY(std::optional<Value> bound, world.lookup(module, name, world.age()));
    if (bound) callee = bound->as_type();
    if (!callee)
      return internal_error(
          fmt::format("the index of {} names a type that is not there: {}", source_.name, wanted.name));
  }
  while (const auto *all = callee->as<UnionAllType>()) callee = all->body();
  for (const EmbeddedMethods &methods : wanted.methods)
    world.postpone(callee, [this, &methods] { return evaluate(std::span(&methods.statement, 1)); },
                   {.shapes = shapes(methods)});
  return {};
}

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

static std::vector<Symbol> exported_names(const Syntax &statement) {
  std::vector<Symbol> names;
  if (!statement.is(Head::Export)) return names;
  for (const Syntax *name : statement.args) {
    if (name->name.text().starts_with('@')) return {};
    names.push_back(name->name);
  }
  return names;
}

static bool defines_type(const Syntax &statement) {
  return statement.is(Head::Struct) || statement.is(Head::Abstract) || statement.is(Head::Primitive);
}

/// Name that a type definition's head or the left side of an assignment binds; empty: another form.
static Symbol bound_name(const Syntax *left) {
  while ((left->is(Head::Subtype) || left->is(Head::Curly) || left->is(Head::TypeAssert)) &&
         !left->args.empty())
    left = left->args[0];
  return left->is(Head::Identifier) ? left->name : Symbol();
}

/// Names that a statement binds: a type, constants, or names of another module. Empty: it may do more.
static std::vector<Symbol> bound_names(const Syntax &statement) {
  std::vector<Symbol> names;
  auto add = [&](Symbol name) {
    names.push_back(name);
    return bool(name);
  };
  bool is_known = true;
  switch (statement.head) {
  case Head::Struct: is_known = add(bound_name(statement.args[1])); break;
  case Head::Abstract:
  case Head::Primitive: is_known = add(bound_name(statement.args[0])); break;
  case Head::Const:
    for (const Syntax *child : statement.args)
      is_known = is_known && child->is(Head::Assign) && !is_function_definition(*child) &&
                 add(bound_name(child->args[0]));
    break;
  case Head::Import:
    for (const Syntax *list : statement.args) {
      is_known = is_known && list->is(Head::ImportColon);
      for (size_t i = 1; is_known && i < list->args.size(); ++i) {
        const Syntax *item = list->args[i];
        const bool is_path = item->is(Head::ImportPath) && item->args.size() == 1;
        is_known = add(is_path ? item->args[0]->name : bound_name(item));
      }
    }
    break;
  default: is_known = false;
  }
  if (!is_known) names.clear();
  return names;
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
        statements.push_back({child->at, module, only_defines(*child), defines_type(*child),
                              child->is(Head::Import), exported_names(*child), bound_names(*child)});
  };
  collect(*tree, into.full_name());
  return statements;
}

Result<LoadReport> JuliaFrontend::load_embedded(Symbol overlay, const EmbeddedSource &source) {
  StageScope stage(shared_->timer, Stage::FrontEnd);
  std::vector<Module *> modules;
  for (std::string_view name : source.modules) modules.push_back(module_of_name(*shared_, name));
  return std::make_shared<LoadedFile>(shared_, source, overlay, std::move(modules))->load();
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
