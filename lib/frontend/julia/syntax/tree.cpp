// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree.h"

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

Syntax *copy_tree(SyntaxArena &arena, const Syntax &node) {
  Syntax *copy = arena.make(node.head, node.at);
  copy->name = node.name;
  copy->literal = node.literal;
  copy->scope = node.scope;
  copy->args.reserve(node.args.size());
  for (const Syntax *child : node.args) copy->args.push_back(copy_tree(arena, *child));
  return copy;
}

} // namespace kiln::julia
