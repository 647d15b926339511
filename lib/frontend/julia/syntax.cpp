// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax.h"

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

} // namespace kiln::julia
