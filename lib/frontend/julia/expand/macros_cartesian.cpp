// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands the macros of Base.Cartesian, which write names x_i and expressions of i for i = 1..N.
#include "expander.h"
#include "type_expr.h"

namespace kiln::julia {

/// Value of an expression of integer literals, such as `3 - 1` made of `d - 1`. No value: another expression.
static std::optional<int64_t> small_integer(const Shared &shared, const Syntax &node) {
  if (node.is(Head::Literal) && node.literal.type() == shared.types.builtins().Int64)
    return int64_t(node.literal.low_bits());
  if (!node.is(Head::Call) || !node.args[0]->is(Head::Identifier) || node.args.size() != 3)
    return std::nullopt;
  auto a = small_integer(shared, *node.args[1]), b = small_integer(shared, *node.args[2]);
  std::string_view op = node.args[0]->name.text();
  if (!a || !b || std::max(std::abs(*a), std::abs(*b)) > 100'000) return std::nullopt;
  if (op == "+") return *a + *b;
  if (op == "-") return *a - *b;
  if (op == "*") return *a * *b;
  return std::nullopt;
}

/// Replaces the variable d by a number in a name: `x_d`, `x_d_y` or `d_x`.
static std::string with_number(std::string_view text, std::string_view variable, int64_t value) {
  std::string result;
  for (size_t from = 0; from <= text.size();) {
    size_t end = std::min(text.find('_', from), text.size());
    std::string_view part = text.substr(from, end - from);
    bool whole = from == 0 && end == text.size();
    result += part == variable && !whole ? std::to_string(value) : std::string(part);
    if (end < text.size()) result += '_';
    from = end + 1;
  }
  return result;
}

static void replace_index(Shared &shared, Syntax &node, Symbol variable, int64_t value) {
  if (node.is(Head::Identifier)) {
    if (node.name == variable) {
      node.head = Head::Literal;
      node.literal = shared.types.int64(value);
    } else if (node.name.text().find('_') != std::string_view::npos) {
      node.name = shared.symbol(with_number(node.name.text(), variable.text(), value));
    }
    return;
  }
  for (Syntax *child : node.args) replace_index(shared, *child, variable, value);
  // i_{d-1}
  if (node.is(Head::Curly) && node.args.size() == 2 && node.args[0]->is(Head::Identifier) &&
      node.args[0]->name.text().ends_with('_'))
    if (auto index = small_integer(shared, *node.args[1])) {
      node.head = Head::Identifier;
      node.name = shared.symbol(fmt::format("{}{}", node.args[0]->name.text(), *index));
      node.args.clear();
    }
}

constexpr int64_t max_count = 20'000; // maximum length of a tuple

/// Value of the macro's first argument, the count N. Negative: it is not a literal count.
int64_t Expander::literal_count(std::span<Syntax *const> args) {
  if (args.empty()) return -1;
  TypeEvaluator evaluator(shared_, *module_);
  evaluator.set_quick(true);
  auto value = evaluator.value(*args[0]);
  if (!value.ok() || value->type() != shared_->types.builtins().Int64) return -1;
  int64_t count = int64_t(value->low_bits());
  return count <= max_count ? count : -1;
}

Syntax *Expander::numbered(const Syntax &name, int64_t i) {
  return identifier(fmt::format("{}_{}", name.name.text(), i), name.scope, name.at);
}

/// Replaces d by i in `d -> expression`, or makes the name x_i of a name x. The result is not expanded yet.
/// Null: `body` is neither.
Syntax *Expander::inlined(const Syntax &body, int64_t i) {
  if (body.is(Head::Identifier)) return numbered(body, i);
  if (!body.is(Head::Arrow)) return nullptr;
  const Syntax *parameter = body.args[0];
  if (parameter->is(Head::Tuple) && parameter->args.size() == 1) parameter = parameter->args[0];
  if (!parameter->is(Head::Identifier)) return nullptr;
  Syntax *copy = copy_tree(arena_, *body.args[1]);
  replace_index(*shared_, *copy, parameter->name, i);
  while (copy->is(Head::Block) && copy->args.size() == 1) copy = copy->args[0];
  return copy;
}

Syntax *Expander::nexprs(const Syntax &node, std::span<Syntax *const> args) {
  std::string_view name = macro_name(node).text();
  int64_t count = literal_count(args);
  if (count < 0 || args.size() < (name == "@ncall" || name == "@nref" ? 3u : 2u))
    return error(node.at, fmt::format("{} needs a literal count and an expression", name));
  std::vector<Syntax *> written;
  for (int64_t i = 1; i <= count; ++i) {
    Syntax *one = inlined(*args.back(), i);
    if (!one)
      return error(node.at, fmt::format("{} of something that is neither a name nor i -> expression", name));
    written.push_back(name == "@nref" ? one : expand(*one));
  }
  if (name == "@ntuple") return make(Head::Tuple, node.at, std::move(written));
  if (name == "@nref") {
    written.insert(written.begin(), args[1]);
    return expand(*make(Head::Ref, node.at, std::move(written)));
  }
  if (name == "@nall" || name == "@nany") {
    bool all = name == "@nall";
    Syntax *result = literal(shared_->types.boolean(all), node.at);
    for (size_t i = written.size(); i-- > 0;)
      result = i + 1 == written.size() ? written[i]
                                       : make(all ? Head::And : Head::Or, node.at, {written[i], result});
    return result;
  }
  if (name == "@ncall") {
    std::vector<Syntax *> all;
    for (size_t i = 1; i + 1 < args.size(); ++i) all.push_back(expand(*args[i]));
    all.insert(all.end(), written.begin(), written.end());
    return make(Head::Call, node.at, std::move(all));
  }
  return make(Head::Block, node.at, std::move(written));
}

/// Expands @nif N condition then [otherwise] to: if condition(1) then(1) elseif ... else otherwise(N).
Syntax *Expander::nif(const Syntax &node, std::span<Syntax *const> args) {
  int64_t count = literal_count(args);
  if (count < 1 || args.size() < 3 || args.size() > 4)
    return error(node.at, "@nif needs a literal count, a condition and one or two expressions");
  Syntax *result = inlined(*args.back(), count);
  for (int64_t i = count - 1; result && i >= 1; --i) {
    Syntax *condition = inlined(*args[1], i), *then = inlined(*args[2], i);
    result = condition && then ? make(Head::If, node.at, {condition, then, result}) : nullptr;
  }
  return result ? expand(*result) : error(node.at, "@nif of something that is no d -> expression");
}

/// Expands @nloops N i ranges [before [after]] body to N nested loops, of which the loop over i_1 is the
/// innermost.
Syntax *Expander::nloops(const Syntax &node, std::span<Syntax *const> args) {
  int64_t count = literal_count(args);
  if (count < 0 || args.size() < 4 || args.size() > 6 || !args[1]->is(Head::Identifier))
    return error(node.at, "@nloops needs a literal count, a name, ranges and a body");
  Syntax *body = args.back();
  for (int64_t d = 1; d <= count; ++d) {
    Syntax *range =
        args[2]->is(Head::Identifier) // ranges of an array
            ? call(base("axes", node.at),
                   {copy_tree(arena_, *args[2]), literal(shared_->types.int64(d), node.at)}, node.at)
            : inlined(*args[2], d);
    std::vector<Syntax *> statements;
    if (args.size() > 4) statements.push_back(inlined(*args[3], d));
    statements.push_back(body);
    if (args.size() > 5) statements.push_back(inlined(*args[4], d));
    if (!range || std::find(statements.begin(), statements.end(), nullptr) != statements.end())
      return error(node.at, "@nloops of something that is no d -> expression");
    body = make(Head::For, node.at,
                {make(Head::Assign, node.at, {numbered(*args[1], d), range}),
                 make(Head::Block, node.at, std::move(statements))});
  }
  return expand(*body);
}

/// Expands @nextract N x y to x_1 = y[1]; x_2 = y[2]; ...
Syntax *Expander::nextract(const Syntax &node, std::span<Syntax *const> args) {
  int64_t count = literal_count(args);
  if (count < 0 || args.size() != 3 || !args[1]->is(Head::Identifier))
    return error(node.at, "@nextract needs a literal count, a name and what it takes apart");
  Syntax *block = make(Head::Block, node.at, {});
  for (int64_t i = 1; i <= count; ++i) {
    Syntax *value = args[2]->is(Head::Arrow)
                        ? inlined(*args[2], i)
                        : make(Head::Ref, node.at,
                               {copy_tree(arena_, *args[2]), literal(shared_->types.int64(i), node.at)});
    if (!value) return error(node.at, "@nextract of something that is no d -> expression");
    block->args.push_back(make(Head::Assign, node.at, {numbered(*args[1], i), value}));
  }
  return expand(*block);
}

} // namespace kiln::julia
