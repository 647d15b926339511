// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree.h"

#include "operators.h"

namespace kiln::julia {

std::string_view head_text(Head head) {
  static constexpr std::string_view texts[] = {
#define KILN_HEAD(id, text) text,
#include "heads.def"
#undef KILN_HEAD
  };
  return texts[size_t(head)];
}

namespace {

void write(std::string &out, const Syntax &node) {
  switch (node.head) {
  case Head::Identifier: out += node.name.text(); return;
  case Head::Literal: out += to_string(node.literal); return;
  case Head::QuotedSymbol: out += fmt::format("(inert {})", node.literal.as_symbol().text()); return;
  case Head::MacroName:
    if (node.args.empty()) {
      out += node.name.text();
      return;
    }
    break;
  default: break;
  }
  out += '(';
  out += head_text(node.head);
  for (const Syntax *arg : node.args) {
    out += ' ';
    write(out, *arg);
  }
  out += ')';
}

} // namespace

std::string to_sexpr(const Syntax &node) {
  std::string out;
  write(out, node);
  return out;
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

/// Returns the minimum and maximum number of children of a node.
static std::pair<size_t, size_t> child_counts(Head head) {
  constexpr size_t any = SIZE_MAX;
  switch (head) {
  case Head::Call:
  case Head::DotCall:
  case Head::MacroCall:
  case Head::Curly:
  case Head::Ref:
  case Head::Ncat:
  case Head::Nrow:
  case Head::TypedVcat:
  case Head::TypedHcat:
  case Head::Const:
  case Head::Import:
  case Head::Using: return {1, any};
  case Head::Dot:
  case Head::TypeAssert:
  case Head::Subtype:
  case Head::Supertype:
  case Head::Function:
  case Head::Macro: return {1, 2};
  case Head::Splat:
  case Head::Comprehension:
  case Head::Flatten:
  case Head::Interpolation:
  case Head::Quote:
  case Head::Abstract: return {1, 1};
  case Head::Kw:
  case Head::And:
  case Head::Or:
  case Head::Arrow:
  case Head::Do:
  case Head::TypedComprehension:
  case Head::Assign:
  case Head::DotAssign:
  case Head::While:
  case Head::For:
  case Head::Let:
  case Head::Primitive: return {2, 2};
  case Head::Where:
  case Head::Generator:
  case Head::Filter:
  case Head::TypedNcat:
  case Head::Doc: return {2, any};
  case Head::Comparison: return {3, any};
  case Head::OpAssign:
  case Head::DotOpAssign:
  case Head::Struct:
  case Head::Module: return {3, 3};
  case Head::If:
  case Head::ElseIf: return {2, 3};
  case Head::Try: return {5, 5};
  case Head::TryFinally: return {2, 2};
  case Head::Return: return {0, 1};
  case Head::QuotedSymbol: return {1, 0}; // a value that is no syntax
  default: return {0, any};
  }
}

bool is_well_formed(const Syntax &node) {
  const auto [min_count, max_count] = child_counts(node.head);
  if (node.args.size() < min_count || node.args.size() > max_count) return false;
  auto part = [&](size_t i) { // without esc(...)
    const Syntax *at = node.args[i];
    while (at->is(Head::Call) && at->args[0]->name && at->args[0]->name.text() == "#escape" &&
           at->args.size() == 2)
      at = at->args[1];
    return at;
  };
  auto is_iteration = [](const Syntax *child) { return child->is(Head::Assign); };
  switch (node.head) {
  case Head::For:
    return part(0)->is(Head::Block) ? std::ranges::all_of(part(0)->args, is_iteration)
                                    : is_iteration(part(0));
  case Head::Do: return part(1)->is(Head::Arrow);
  case Head::Struct:
  case Head::Module: return part(0)->is(Head::Literal) && part(2)->is(Head::Block);
  case Head::Comparison: return node.args.size() % 2 == 1;
  default: return true;
  }
}

bool is_operator_name(std::string_view text) { return match_operator(text).length != 0; }

bool is_scaled_name(const Syntax &product) {
  if (product.args.size() != 3 || !product.args[1]->literal || !product.args[2]->is(Head::Identifier))
    return false;
  const DataType *type = product.args[1]->literal.type()->as<DataType>();
  const std::string_view number = type ? type->name().name.text() : std::string_view();
  return (number == "Int64" || number == "Float64" || number == "Float32") &&
         std::string_view("eEf").find(product.args[2]->name.text()[0]) == std::string_view::npos;
}

Syntax *copy_node(SyntaxArena &arena, const Syntax &node) {
  Syntax *copy = arena.make(node.head, node.at);
  copy->lines = node.lines;
  copy->name = node.name;
  copy->literal = node.literal;
  copy->scope = node.scope;
  return copy;
}

Syntax *copy_tree(SyntaxArena &arena, const Syntax &node) {
  Syntax *copy = copy_node(arena, node);
  copy->args.reserve(node.args.size());
  for (const Syntax *child : node.args) copy->args.push_back(copy_tree(arena, *child));
  return copy;
}

} // namespace kiln::julia
