// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates @eval at top level, and loops of it over lists of literals. They are expanded by substitution,
// without running code.
#include "define.h"

namespace kiln::julia {

/// Maximum number of elements of a loop that is expanded by substitution. A longer loop runs, which takes
/// three times as long per element.
constexpr int64_t max_elements = 100'000;

/// Returns the code that a list element stands for: `:name` becomes the identifier, a quote its contents.
const Syntax *Definer::plain(const Syntax &element) {
  if (element.is(Head::QuotedSymbol)) return name_as_value(element.literal.as_symbol(), element.at);
  if (element.is(Head::Quote) && element.args.size() == 1) return element.args[0];
  if (element.is(Head::Literal) && element.literal.as_expr()) // element of a computed list
    if (auto code = value_to_syntax(*shared_, unit_->arena, element.literal, element.at); code.ok())
      return *code;
  return &element;
}

static void interpolated_names(const Syntax &node, std::vector<const Syntax *> &into, bool inside) {
  if (node.is(Head::Identifier) && inside) into.push_back(&node);
  for (const Syntax *child : node.args)
    interpolated_names(*child, into, inside || node.is(Head::Interpolation));
}

void Definer::eval(Module &module, const Syntax &quoted, const Substitution &names) {
  Substitution all = names;
  std::vector<const Syntax *> used;
  interpolated_names(quoted, used, false);
  for (const Syntax *name : used) {
    std::string text(name->name.text());
    if (all.count(text)) continue;
    TypeEvaluator evaluator(shared_, module);
    evaluator.set_quick(true);
    auto value = evaluator.value(*name);
    if (!value.ok()) continue;
    if (Symbol symbol = value->as_symbol())
      all[text] = name_as_value(symbol, name->at);
    else
      all[text] = plain(*unit_->arena.literal(*value, name->at));
  }
  const Syntax *code = needs_running(quoted, all) ? with_computed(module, quoted, all) : &quoted;
  auto result = substitute(*shared_, unit_->arena, *code, all);
  if (collected_) { // inside a loop
    if (result.ok())
      collected_->statements.emplace_back(&module, *result);
    else
      collected_->simple = false;
    return;
  }
  if (!result.ok()) {
    note_error(result.take_error(), quoted);
    return;
  }
  statement(module, **result);
}

/// True if the code contains @eval or eval(...), outside of functions.
static bool holds_eval(const Syntax &node) {
  if (node.is(Head::MacroCall) && macro_name(node).text() == "@eval") return true;
  if (node.is(Head::Call) && node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "eval")
    return true;
  if (node.is(Head::Function) || node.is(Head::Arrow)) return false;
  return std::ranges::any_of(node.args, [](const Syntax *child) { return holds_eval(*child); });
}

/// Evaluates a loop of @eval: by substitution where that suffices, else by running the loop.
void Definer::eval_loop(Module &module, const Syntax &node) {
  Collected collected;
  collected_ = &collected;
  unroll(module, node, {});
  collected_ = nullptr;
  if (collected.simple) {
    for (auto &[into, code] : collected.statements) statement(*into, *code);
    return;
  }
  run_top_level(module, node);
}

/// Evaluates let v = x; f(y) = v; end, if the block only defines functions that never assign v: replaces v by
/// its value. Returns false for other blocks.
bool Definer::define_with_constants(Module &module, const Syntax &node) {
  const Syntax &head = *node.args[0], &body = *node.args[1];
  std::vector<const Syntax *> bindings{&head};
  if (head.is(Head::Block)) bindings.assign(head.args.begin(), head.args.end());
  if (!body.is(Head::Block) || body.args.empty()) return false;
  for (const Syntax *each : body.args)
    if (!is_function_definition(*each) || !each->is(Head::Assign)) return false;
  Substitution names;
  for (const Syntax *binding : bindings) {
    if (!binding->is(Head::Assign) || !binding->args[0]->is(Head::Identifier)) return false;
    const std::string name(binding->args[0]->name.text());
    std::function<bool(const Syntax &)> is_bound =
        [&](const Syntax &code) { // true if an argument or an assignment in the code has this name
          return ((code.is(Head::Assign) || code.is(Head::OpAssign) || code.is(Head::Arrow)) &&
                  std::ranges::any_of(code.args,
                                      [&](const Syntax *part) {
                                        return part != code.args.back() && holds_name(*part, name);
                                      })) ||
                 std::ranges::any_of(code.args, [&](const Syntax *part) { return is_bound(*part); });
        };
    if (is_bound(body)) return false;
  }
  for (const Syntax *binding : bindings) {
    auto value = shared_->interpret(module, *with_values(*binding->args[1], names));
    if (!value.ok()) return false; // the caller runs the block, which reports the error
    names[std::string(binding->args[0]->name.text())] = literal_of(*value, binding->at);
  }
  statement(module, *with_values(body, names));
  return true;
}

/// Runs top-level code that makes definitions by @eval. Other code is skipped, unless statements run here.
void Definer::run_top_level(Module &module, const Syntax &node) {
  if (!holds_eval(node) && !runs_statements(module)) {
    note_skipped(node);
    return;
  }
  auto before = std::exchange(shared_->run_eval,
                              [this, at = node.at](Module &into, const Value &code) -> Result<Value> {
                                KILN_TRY(Syntax * syntax, value_to_syntax(*shared_, unit_->arena, code, at));
                                statement(into, *syntax);
                                return shared_->types.nothing();
                              });
  const Module *outer = std::exchange(shared_->eval_module, &module);
  auto done = shared_->interpret(module, node);
  shared_->eval_module = outer;
  shared_->run_eval = std::move(before);
  if (done.ok()) return;
  Error error = done.take_error();
  for (Diagnostic &fault : error.diagnostics()) // an error thrown inside Kiln's library, such as by `error`
    if (fault.at && fault.at.file->is_library()) fault.at = shared_->locate(node.at);
  note_error(std::move(error), node);
}

Result<std::vector<const Syntax *>> Definer::loop_elements(Module &module, const Syntax &node,
                                                           const Substitution &names) {
  const Syntax *list = &node;
  if (list->is(Head::Identifier))
    if (auto it = names.find(list->name.text()); it != names.end()) list = it->second;
  std::vector<const Syntax *> elements;
  if (list->is(Head::Tuple) || list->is(Head::Vect)) {
    for (const Syntax *element : list->args) {
      if (!element->is(Head::Splat)) {
        elements.push_back(element);
        continue;
      }
      KILN_TRY(Value items, shared_->interpret(module, *with_values(*element->args[0], names)));
      KILN_TRY(std::vector<Value> values, iterated(items, node));
      for (const Value &value : values) elements.push_back(literal_of(value, node.at));
    }
    return elements;
  }
  TypeEvaluator evaluator(shared_, module);
  if (list->is(Head::Call) && list->args.size() == 3 && list->args[0]->is(Head::Identifier) &&
      list->args[0]->name.text() == ":") {
    KILN_TRY(Value first, evaluator.value(*list->args[1]));
    KILN_TRY(Value last, evaluator.value(*list->args[2]));
    TypeRef int64 = shared_->types.builtins().Int64;
    if (first.type() == int64 && last.type() == int64 &&
        int64_t(last.low_bits()) - int64_t(first.low_bits()) < max_elements) {
      for (int64_t i = int64_t(first.low_bits()); i <= int64_t(last.low_bits()); ++i)
        elements.push_back(unit_->arena.literal(shared_->types.int64(i), node.at));
      return elements;
    }
  }
  KILN_TRY(Value items, shared_->interpret(module, *with_values(*list, names)));
  KILN_TRY(std::vector<Value> values, iterated(items, node));
  for (const Value &element : values) elements.push_back(literal_of(element, node.at));
  return elements;
}

/// Returns the elements over which `for` iterates in a value: zip(...), enumerate(...), an array.
Result<std::vector<Value>> Definer::iterated(const Value &items, const Syntax &node) {
  const DataType *type = items.type()->as<DataType>();
  if (const std::vector<Value> *fields = items.fields(); fields && type && type->is_tuple()) return *fields;
  if (HostArray *array = items.as_array(); array && array->bytes.empty()) return array->values;
  KILN_TRY(auto iterate,
           shared_->world.lookup(*shared_->world.base(), shared_->symbol("iterate"), shared_->world.age()));
  if (!iterate)
    return shared_->error(ErrorCode::Input, fmt::format("`{}` is no list of literals", brief(node)), node.at);
  std::vector<Value> values, args{items};
  for (;;) {
    KILN_TRY(Value next, shared_->interpreter.call(*iterate, args));
    const std::vector<Value> *pair = next.fields();
    if (!pair || pair->size() != 2) // nothing
      return values;
    if (values.size() == size_t(max_elements))
      return shared_->error(ErrorCode::Input,
                            fmt::format("`{}` has more than {} elements", brief(node), max_elements),
                            node.at);
    values.push_back((*pair)[0]);
    args = {items, (*pair)[1]};
  }
}

/// Makes a node for a list element that is a name. In code it becomes the identifier, in computations the
/// symbol. Other elements, such as T of `for T in (Int8, Int16)`, are the same in both.
const Syntax *Definer::name_as_value(Symbol name, Span at) {
  const Syntax *node = unit_->arena.identifier(name, at);
  names_as_values_.insert(node);
  return node;
}

/// Copies code in which each name in `names` is replaced by its value.
Syntax *Definer::with_values(const Syntax &node, const Substitution &names) {
  if (node.is(Head::Identifier))
    if (auto it = names.find(node.name.text()); it != names.end()) {
      const Syntax &bound = *it->second;
      return names_as_values_.contains(&bound)
                 ? literal_of(Value::symbol(shared_->types, bound.name), node.at)
                 : copy_tree(unit_->arena, bound);
    }
  Syntax *copy = copy_node(unit_->arena, node);
  for (const Syntax *child : node.args) copy->args.push_back(with_values(*child, names));
  return copy;
}

/// True if an interpolation $(expression) cannot be computed by substituting `names`.
bool Definer::needs_running(const Syntax &quoted, const Substitution &names) {
  if (quoted.is(Head::Quote)) // inside an inner quote, interpolations belong to that quote
    return false;
  if (quoted.is(Head::Interpolation))
    return !quoted.args[0]->is(Head::Identifier) && !quoted.args[0]->is(Head::Splat) &&
           !substitute_expression(*shared_, unit_->arena, *quoted.args[0], names).ok();
  return std::ranges::any_of(quoted.args, [&](const Syntax *child) { return needs_running(*child, names); });
}

/// Copies quoted code in which each interpolation that must run (needs_running) is replaced by its value.
Syntax *Definer::with_computed(Module &module, const Syntax &quoted, const Substitution &names) {
  if (quoted.is(Head::Interpolation) && needs_running(quoted, names)) {
    if (auto added = add_macro_library(*shared_); !added.ok()) note_error(added.take_error(), quoted);
    auto value = shared_->interpret(module, *with_values(*quoted.args[0], names));
    if (value.ok())
      if (auto code = value_to_syntax(*shared_, unit_->arena, *value, quoted.at); code.ok()) return *code;
  }
  Syntax *copy = copy_node(unit_->arena, quoted);
  for (const Syntax *child : quoted.args) copy->args.push_back(with_computed(module, *child, names));
  return copy;
}

Syntax *Definer::literal_of(const Value &value, Span at) {
  Syntax *literal = unit_->arena.literal(value, at);
  if (value.as_symbol()) literal->head = Head::QuotedSymbol;
  return literal;
}

/// Returns the parts that (a, b) = element assigns: the elements of a tuple, :a and :b of the pair :a => :b,
/// or the fields of a value.
std::vector<const Syntax *> Definer::parts(const Syntax &element) {
  if (element.is(Head::Tuple)) return {element.args.begin(), element.args.end()};
  if (element.is(Head::Call)) return {element.args.begin() + 1, element.args.end()};
  std::vector<const Syntax *> found;
  if (const std::vector<Value> *fields = element.literal ? element.literal.fields() : nullptr)
    for (const Value &field : *fields) found.push_back(literal_of(field, element.at));
  return found;
}

void Definer::unroll(Module &module, const Syntax &node, Substitution names) {
  const Syntax &head = *node.args[0];
  std::vector<const Syntax *> iterations{&head};
  if (head.is(Head::Block)) iterations.assign(head.args.begin(), head.args.end());
  std::function<void(size_t, Substitution &)> run = [&](size_t depth, Substitution &bound) {
    if (depth == iterations.size()) {
      Substitution inner = bound;
      eval_statement(module, *node.args[1], inner);
      return;
    }
    const Syntax &target = *iterations[depth]->args[0];
    auto elements = loop_elements(module, *iterations[depth]->args[1], bound);
    if (!elements.ok()) {
      collected_->simple = false;
      return;
    }
    for (const Syntax *element : *elements) {
      if (target.is(Head::Identifier)) {
        bound[std::string(target.name.text())] = plain(*element);
      } else if (std::vector<const Syntax *> values = parts(*element);
                 target.is(Head::Tuple) && values.size() >= target.args.size()) {
        for (size_t i = 0; i < target.args.size(); ++i)
          if (target.args[i]->is(Head::Identifier))
            bound[std::string(target.args[i]->name.text())] = plain(*values[i]);
      } else {
        collected_->simple = false;
        return;
      }
      run(depth + 1, bound);
    }
  };
  run(0, names);
}

void Definer::eval_statement(Module &module, const Syntax &node, Substitution &names) {
  switch (node.head) {
  case Head::Block:
  case Head::Toplevel:
    for (const Syntax *child : node.args) eval_statement(module, *child, names);
    return;
  case Head::For: unroll(module, node, names); return;
  case Head::Doc: eval_statement(module, *node.args.back(), names); return;
  case Head::MacroCall: {
    std::string_view name = macro_name(node).text();
    if (name == "@eval" && node.args.size() >= 2) {
      if (node.args.size() == 3) {
        TypeEvaluator evaluator(shared_, module);
        auto other = evaluator.module(*node.args[1]);
        if (other.ok())
          eval(**other, *node.args[2], names);
        else
          collected_->simple = false;
        return;
      }
      eval(module, *node.args[1], names);
      return;
    }
    break;
  }
  case Head::Call:
    if (node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "eval" &&
        node.args.back()->is(Head::Quote)) {
      eval(module, *node.args.back()->args[0], names);
      return;
    }
    break;
  case Head::Assign:
    if (node.args[0]->is(Head::Identifier) && !names.contains(node.args[0]->name.text())) {
      auto value = substitute_expression(*shared_, unit_->arena, *node.args[1], names);
      if (value.ok()) {
        const Syntax *bound = *value;
        // The value is a name: Symbol(...), :name, or a copy of a variable that has one.
        if (bound->is(Head::Identifier)) {
          const Syntax *from = node.args[1];
          auto copied = from->is(Head::Identifier) ? names.find(from->name.text()) : names.end();
          if (copied != names.end())
            bound = copied->second;
          else
            bound = name_as_value(bound->name, bound->at);
        }
        names[std::string(node.args[0]->name.text())] = bound;
        return;
      }
    }
    break;
  default: break;
  }
  collected_->simple = false;
}

} // namespace kiln::julia
