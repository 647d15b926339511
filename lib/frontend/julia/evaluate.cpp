// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evaluate.h"

#include "definitions.h"
#include "lower.h"
#include "parser.h"
#include "type_expr.h"

namespace kiln::julia {

Shared::Shared(World &world, Interpreter &interpreter, Timer *timer, Log *log)
    : world(world), interpreter(interpreter), types(world.types()), timer(timer), log(log) {
  TypeName *name = types.new_type_name(symbol("#Static"), "Core");
  name->params = {types.new_var(symbol("T"), types.bottom(), types.builtins().Any)};
  name->super = types.builtins().Any;
  name->fields_defined = true;
  static_wrapper = types.finish_type_name(*name);
  for (auto [type, text] :
       {std::pair(&keyword_values, "#KeywordValues"), std::pair(&keyword_sorter, "#KeywordSorter")}) {
    TypeName *marker = types.new_type_name(symbol(text), "Core");
    marker->super = types.builtins().Any;
    marker->fields_defined = true;
    *type = types.finish_type_name(*marker);
  }
  if (auto function = world.function(*world.core(), symbol("kwcall"), {}); function.ok()) kwcall = *function;
}

Error Shared::undefined(const Module &module, Symbol name, Span at) {
  std::string hint = world.undefined_hint(module, name);
  return error("UndefVarError", fmt::format("`{}` not defined in `{}`", name.text(), module.full_name()), at,
               hint);
}

const Module &Shared::module_of(uint32_t scope, const Module &otherwise) const {
  if (scope == 0)
    return otherwise; // NOLINT(bugprone-return-const-ref-from-parameter): modules live as long as the world
  if (scope == BaseScope) return *world.base();
  if (scope == CoreScope) return *world.core();
  std::lock_guard lock(mutex_);
  return *expansions_[scope - 1];
}

uint32_t Shared::new_expansion(const Module &module) {
  std::lock_guard lock(mutex_);
  expansions_.push_back(&module);
  return uint32_t(expansions_.size());
}

std::shared_ptr<MacroDefinition> Shared::find_macro(const Module &module, Symbol name) {
  auto found = world.lookup(module, name, world.age());
  if (!found.ok() || !*found) return nullptr;
  std::lock_guard lock(mutex_);
  auto it = macros_.find((*found)->type());
  return it == macros_.end() ? nullptr : it->second;
}

void Shared::alias_macro(const Module &module, Symbol alias, Symbol macro) {
  std::lock_guard lock(mutex_);
  if (alias != macro) macro_aliases_.push_back({&module, alias, macro});
}

Symbol Shared::built_in_macro(const Module &module, Symbol name) const {
  std::lock_guard lock(mutex_);
  for (const MacroAlias &alias : macro_aliases_)
    if (alias.module == &module && alias.alias == name) return alias.macro;
  return name;
}

void Shared::add_macro(const Value &function, std::shared_ptr<MacroDefinition> macro) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<MacroDefinition> &slot = macros_[function.type()];
  macro->function = function;
  macro->other = slot;
  slot = std::move(macro);
}

bool Shared::is_first_mention(Symbol package) {
  std::lock_guard lock(mutex_);
  return unknown_packages_.insert(package).second;
}

void Shared::add_host(const Module &, Symbol name, HostDefinition host) {
  std::lock_guard lock(mutex_);
  hosts_[name].push_back(std::move(host));
}

std::vector<HostDefinition> Shared::hosts(const Module &module, Symbol name) const {
  std::lock_guard lock(mutex_);
  std::vector<HostDefinition> found;
  if (auto it = hosts_.find(name); it != hosts_.end())
    for (size_t i = it->second.size(); i-- > 0;)
      if (it->second[i].module == &module) found.push_back(it->second[i]);
  return found;
}

Symbol macro_name(const Syntax &node) {
  const Syntax *name = node.args.empty() ? &node : node.args[0];
  if (node.is(Head::MacroName)) name = &node;
  while (name->is(Head::MacroName) && !name->args.empty()) name = name->args.back();
  return name->name;
}

std::string brief(const Syntax &node, size_t limit) {
  std::string text = to_string(node), line;
  for (char c : text) {
    bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.size() <= limit) return line;
  size_t cut = limit;
  while (cut > 0 && (line[cut] & 0xc0) == 0x80) // not inside a character
    --cut;
  return line.substr(0, cut) + "...";
}

Syntax *copy_tree(SyntaxArena &arena, const Syntax &node) {
  Syntax *copy = arena.make(node.head, node.at);
  copy->name = node.name;
  copy->literal = node.literal;
  copy->scope = node.scope;
  copy->args.reserve(node.args.size());
  for (const Syntax *child : node.args) copy->args.push_back(copy_tree(arena, *child));
  return copy;
}

Result<Value> interpret(const std::shared_ptr<Shared> &shared, const Module &module, const Syntax &node) {
  KILN_TRY(CodeInfo code, lower_expression(shared, module, node));
  return shared->interpreter.run(code, module);
}

JuliaFrontend::JuliaFrontend(World &world, Interpreter &interpreter, Timer *timer, Log *log, Library library)
    : shared_(std::make_shared<Shared>(world, interpreter, timer, log)), library_(std::move(library)) {}
JuliaFrontend::~JuliaFrontend() = default;

namespace {

Result<LoadReport> load_file(const std::shared_ptr<Shared> &shared, Module &into, Symbol overlay,
                             std::shared_ptr<const SourceFile> file) {
  StageScope stage(shared->timer, Stage::FrontEnd);
  auto unit = std::make_shared<Unit>();
  unit->file = std::move(file);
  Syntax *tree = nullptr;
  {
    StageScope parse(shared->timer, Stage::Parse);
    KILN_TRY(tree, parse_file(shared->types, unit->arena, *unit->file));
  }
  LoadReport report;
  Definer definer(shared, unit, report, overlay);
  KILN_CHECK(definer.file(into, *tree));
  return report;
}

} // namespace

Result<LoadReport> JuliaFrontend::load(World &, Module &into, std::shared_ptr<const SourceFile> file) {
  KILN_CHECK(shared_->load_named_in(file->text()));
  return load_file(shared_, into, {}, std::move(file));
}

Result<LoadReport> JuliaFrontend::load_overlay(World &, Module &into, Symbol overlay,
                                               std::shared_ptr<const SourceFile> file) {
  return load_file(shared_, into, overlay, std::move(file));
}

Result<Value> JuliaFrontend::evaluate(World &world, Module &in, std::string_view name,
                                      std::string_view text) {
  StageScope stage(shared_->timer, Stage::FrontEnd);
  KILN_CHECK(shared_->load_named_in(text));
  auto unit = std::make_shared<Unit>();
  unit->file = world.sources().add(std::string(name), std::string(text));
  KILN_TRY(Syntax * tree, parse_expression(shared_->types, unit->arena, *unit->file));
  TypeEvaluator evaluator(shared_, in);
  evaluator.set_quick(true);
  if (auto quick = evaluator.value(*tree); quick.ok()) return quick;
  return interpret(shared_, in, *tree);
}

Result<std::vector<TypeRef>> argument_types(const Shared &shared, TypeEvaluator &evaluator,
                                            std::span<Syntax *const> arguments) {
  std::vector<TypeRef> types;
  for (const Syntax *argument : arguments) {
    const Syntax *type =
        argument->is(Head::TypeAssert) ? argument->args.back() : argument; // `x::T` and `::T` as in a message
    KILN_TRY(TypeRef evaluated, evaluator.evaluate(*type));
    if (const ConstType *value = evaluated->as<ConstType>()) evaluated = shared.types.type_of(value->value());
    if (evaluated->is<VarargType>() || evaluated->has_free_vars())
      return shared.error("TypeError", fmt::format("`{}` is not the type of an argument", brief(*type)),
                          type->at);
    types.push_back(evaluated);
  }
  return types;
}

Result<ResolvedCall> JuliaFrontend::resolve_call(World &world, Module &in, std::string_view name,
                                                 std::string_view text, std::span<const Capture> captures) {
  StageScope stage(shared_->timer, Stage::FrontEnd);
  KILN_CHECK(shared_->load_named_in(text));
  auto unit = std::make_shared<Unit>();
  unit->file = world.sources().add(std::string(name), std::string(text));
  KILN_TRY(Syntax * tree, parse_expression(shared_->types, unit->arena, *unit->file));
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
