// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints syntax as Julia text.
#include "operators.h"
#include "tree.h"

namespace kiln::julia {

namespace {

class Printer {
public:
  std::string out;
  void print(const Syntax &node, Prec outer = Prec::None);

private:
  uint32_t indent_ = 0;
  void put(std::string_view s) { out += s; }
  void line() {
    out += '\n';
    out.append(indent_ * 4, ' ');
  }
  void list(const Syntax &node, size_t from, std::string_view separator = ", ",
            Prec outer = Prec::Assignment);
  void arguments(const Syntax &node, size_t from);
  void body(const Syntax &block);
  void enclosed(std::string_view open, const Syntax &node, size_t from, std::string_view close,
                std::string_view separator = ", ") {
    put(open);
    list(node, from, separator);
    put(close);
  }
  void infix(std::string_view op, const Syntax &node, size_t first, Prec prec, Prec outer);
  void call(const Syntax &node, Prec outer);
  void conditional(const Syntax &node);
  void attempt(const Syntax &node);
  bool statement_form(const Syntax &node);
  bool definition(const Syntax &node);
  bool bracketed(const Syntax &node);
  bool separated(const Syntax &node, size_t dimension);
  bool loops(std::string_view open, const Syntax &node, std::string_view close);
  void keyword(std::string_view word, const Syntax &node) {
    put(word);
    if (!node.args.empty()) put(" ");
    list(node, 0);
  }
};

void Printer::list(const Syntax &node, size_t from, std::string_view separator, Prec outer) {
  for (size_t i = from; i < node.args.size(); ++i) {
    if (i > from) put(separator);
    print(*node.args[i], outer);
  }
}

/// Prints arguments in parentheses: positional ones, then `;` and keyword arguments.
void Printer::arguments(const Syntax &node, size_t from) {
  const bool params = from < node.args.size() && node.args[from]->is(Head::Parameters);
  put("(");
  list(node, from + params);
  if (params) enclosed("; ", *node.args[from], 0, "");
  put(")");
}

/// Prints the lines of a block, without the closing keyword.
void Printer::body(const Syntax &block) {
  ++indent_;
  if (block.is(Head::Block)) {
    for (const Syntax *arg : block.args) {
      line();
      print(*arg);
    }
  } else {
    line();
    print(block);
  }
  --indent_;
  line();
}

/// Operands with an operator of the same precedence get parentheses too, as Julia prints them.
void Printer::infix(std::string_view op, const Syntax &node, size_t first, Prec prec, Prec outer) {
  const bool parens = prec <= outer && outer != Prec::None && prec != Prec::None;
  const bool tight = prec == Prec::Colon || prec == Prec::Decl;
  if (parens) put("(");
  list(node, first, tight ? std::string(op) : " " + std::string(op) + " ", prec);
  if (parens) put(")");
}

void Printer::call(const Syntax &node, Prec outer) {
  const Syntax &f = *node.args[0];
  const std::string dot = node.is(Head::DotCall) ? "." : "";
  if (f.is(Head::Identifier) && node.args.size() > 1 && !node.args[1]->is(Head::Parameters)) {
    const std::string_view name = f.name.text();
    OperatorMatch op = match_operator(name);
    if (name == "in" || name == "isa") op = {Tok::In, Prec::Comparison, uint32_t(name.size())};
    const bool whole = op.length == name.size();
    if (name == "'" && node.args.size() == 2) {
      print(*node.args[1], Prec::Decl);
      return put("'");
    }
    if (name == "*" && dot.empty() && is_scaled_name(node))
      return enclosed(op.prec <= outer ? "(" : "", node, 1, op.prec <= outer ? ")" : "", "");
    if (whole && node.args.size() > 2 && op.prec != Prec::None && !node.args[1]->is(Head::Splat))
      return infix(dot + std::string(name), node, 1, op.prec, outer);
    if (whole && node.args.size() == 2 && (op.prec == Prec::Plus || op.prec == Prec::None || name == "~")) {
      put(dot + std::string(name));
      return node.args[1]->args.empty() ? print(*node.args[1]) : enclosed("(", node, 1, ")");
    }
  }
  print(f, Prec::Decl);
  put(dot);
  arguments(node, 1);
}

void Printer::conditional(const Syntax &node) {
  put(head_text(node.head));
  put(" ");
  print(*node.args[0]);
  body(*node.args[1]);
  if (node.args.size() > 2 && node.args[2]->is(Head::ElseIf)) return conditional(*node.args[2]);
  if (node.args.size() > 2) {
    put("else");
    body(*node.args[2]);
  }
  put("end");
}

void Printer::attempt(const Syntax &node) {
  auto present = [&](size_t i) { return i < node.args.size() && !node.args[i]->is(Head::Literal); };
  put("try");
  body(*node.args[0]);
  if (present(2)) {
    put("catch");
    if (present(1)) {
      put(" ");
      print(*node.args[1]);
    }
    body(*node.args[2]);
  }
  if (present(4)) {
    put("else");
    body(*node.args[4]);
  }
  if (present(3)) {
    put("finally");
    body(*node.args[3]);
  }
  put("end");
}

bool Printer::statement_form(const Syntax &node) {
  auto block_of = [&](std::string_view word, const Syntax *before, const Syntax &contents) {
    put(word);
    if (before) {
      put(" ");
      if (before->is(Head::Block))
        list(*before, 0);
      else
        print(*before);
    }
    body(contents);
    put("end");
    return true;
  };
  const std::vector<Syntax *> &a = node.args;
  switch (node.head) {
  case Head::Block: return block_of("begin", nullptr, node);
  case Head::Quote: return block_of("quote", nullptr, *a[0]);
  case Head::ElseIf: conditional(node); return true;
  case Head::While: return block_of("while", a[0], *a[1]);
  case Head::For: return block_of("for", a[0], *a[1]);
  case Head::Let: return block_of("let", a[0], *a[1]);
  case Head::Try: attempt(node); return true;
  case Head::Return:
  case Head::Break:
  case Head::Continue:
  case Head::Local:
  case Head::Global:
  case Head::Const:
  case Head::Import:
  case Head::Using:
  case Head::Export:
  case Head::Public: keyword(head_text(node.head), node); return true;
  case Head::Doc: print(*a[0]), line(), print(*a[1]); return true;
  case Head::Toplevel: enclosed("", node, 0, "", "\n"); return true;
  case Head::Do:
    print(*a[0]);
    put(" do ");
    list(*a[1]->args[0], 0);
    body(*a[1]->args[1]);
    put("end");
    return true;
  default: return definition(node);
  }
}

bool Printer::definition(const Syntax &node) {
  const std::vector<Syntax *> &a = node.args;
  auto with_body = [&](std::string_view word, const Syntax &head, const Syntax *contents) {
    put(word);
    put(" ");
    print(head);
    if (contents)
      body(*contents);
    else
      put(" ");
    put("end");
    return true;
  };
  auto flag = [](const Syntax &literal) { return literal.literal && literal.literal.low_bits() != 0; };
  switch (node.head) {
  case Head::Function:
  case Head::Macro: return with_body(head_text(node.head), *a[0], a.size() > 1 ? a[1] : nullptr);
  case Head::Struct: return with_body(flag(*a[0]) ? "mutable struct" : "struct", *a[1], a[2]);
  case Head::Module: return with_body(flag(*a[0]) ? "module" : "baremodule", *a[1], a[2]);
  case Head::Abstract: return with_body("abstract type", *a[0], nullptr);
  case Head::Primitive: enclosed("primitive type ", node, 0, " end", " "); return true;
  case Head::ImportPath:
    for (size_t i = 0; i < a.size(); ++i) {
      if (i > 0 && a[i - 1]->name.text() != ".") put(".");
      print(*a[i]);
    }
    return true;
  case Head::ImportColon:
    print(*a[0]);
    enclosed(": ", node, 1, "");
    return true;
  case Head::As: enclosed("", node, 0, "", " as "); return true;
  default: return bracketed(node);
  }
}

/// Prints elements separated by semicolons. The literal before the elements, args[dimension], is the number
/// of semicolons.
bool Printer::separated(const Syntax &node, size_t dimension) {
  const std::string semicolons(size_t(node.args[dimension]->literal.low_bits()), ';');
  const bool brackets = !node.is(Head::Nrow);
  enclosed(brackets ? "[" : "", node, dimension + 1, node.args.size() == dimension + 2 ? semicolons : "",
           semicolons + " ");
  if (brackets) put("]");
  return true;
}

/// Prints the value of a generator, then its loops from the outermost.
bool Printer::loops(std::string_view open, const Syntax &node, std::string_view close) {
  std::vector<const Syntax *> levels;
  const Syntax *inner = &node;
  for (; inner->is(Head::Flatten); inner = levels.back()->args[0]) levels.push_back(inner->args[0]);
  levels.push_back(inner);
  put(open);
  print(*inner->args[0]);
  for (const Syntax *level : levels) enclosed(" for ", *level, 1, level == inner ? close : "");
  return true;
}

bool Printer::bracketed(const Syntax &node) {
  const std::vector<Syntax *> &a = node.args;
  auto after_first = [&](std::string_view open, std::string_view close, std::string_view separator = ", ") {
    print(*a[0], Prec::Decl);
    enclosed(open, node, 1, close, separator);
    return true;
  };
  auto whole = [&](std::string_view open, std::string_view close, std::string_view separator = ", ") {
    enclosed(open, node, 0, close, separator);
    return true;
  };
  switch (node.head) {
  case Head::Curly: return after_first("{", "}");
  case Head::Ref: return after_first("[", "]");
  case Head::Vect: return whole("[", "]");
  case Head::Braces: return whole("{", "}");
  case Head::Hcat: return whole("[", "]", " ");
  case Head::Vcat: return whole("[", "]", "; ");
  case Head::Row: return whole("", "", " ");
  case Head::Nrow:
  case Head::Ncat: return separated(node, 0);
  case Head::TypedNcat: print(*a[0], Prec::Decl); return separated(node, 1);
  case Head::TypedHcat: return after_first("[", "]", " ");
  case Head::TypedVcat: return after_first("[", "]", "; ");
  case Head::Comprehension: return loops("[", *a[0], "]");
  case Head::TypedComprehension: print(*a[0], Prec::Decl); return loops("[", *a[1], "]");
  case Head::Flatten:
  case Head::Generator: return loops("(", node, ")");
  case Head::Filter:
    enclosed("", node, 1, " if ");
    print(*a[0]);
    return true;
  case Head::Parameters: return whole("; ", "");
  case Head::Splat: return whole("", "...");
  case Head::Interpolation: return whole("$(", ")");
  case Head::Tuple:
    arguments(node, 0);
    if (a.size() == 1 && !a[0]->is(Head::Parameters)) out.insert(out.size() - 1, ",");
    return true;
  case Head::MacroCall: return after_first("(", ")");
  case Head::Error: return whole("<error", ">");
  default: return false;
  }
}

void Printer::print(const Syntax &node, Prec outer) {
  const std::vector<Syntax *> &a = node.args;
  auto prefix = [&](std::string_view op) {
    put(op);
    print(*a[0], Prec::Decl);
  };
  auto assign = [&](const std::string &op, size_t first) {
    const bool parens = outer > Prec::Assignment;
    if (parens) put("(");
    print(*a[first]);
    put(" " + op + " ");
    print(*a[first + 1]);
    if (parens) put(")");
  };
  switch (node.head) {
  case Head::Identifier: return put(node.name.text());
  case Head::Literal: return put(to_string(node.literal));
  case Head::QuotedSymbol: return put(fmt::format(":{}", node.literal.as_symbol().text()));
  case Head::MacroName:
    if (a.empty()) return put(node.name.text());
    print(*a[0]);
    put(".");
    return print(*a[1]);
  case Head::Call:
  case Head::DotCall: return call(node, outer);
  case Head::Dot:
    print(*a[0], Prec::Decl);
    if (a.size() < 2) return;
    put(".");
    if (a[1]->is(Head::QuotedSymbol)) return put(a[1]->literal.as_symbol().text());
    return print(*a[1]);
  case Head::Assign: return assign("=", 0);
  case Head::Kw: return assign("=", 0);
  case Head::DotAssign: return assign(".=", 0);
  case Head::OpAssign: return assign(std::string(a[0]->name.text()) + "=", 1);
  case Head::DotOpAssign: return assign("." + std::string(a[0]->name.text()) + "=", 1);
  case Head::And: return infix("&&", node, 0, Prec::And, outer);
  case Head::Or: return infix("||", node, 0, Prec::Or, outer);
  case Head::TypeAssert: return a.size() == 1 ? prefix("::") : infix("::", node, 0, Prec::Decl, outer);
  case Head::Subtype: return a.size() == 1 ? prefix("<:") : infix("<:", node, 0, Prec::Comparison, outer);
  case Head::Supertype: return a.size() == 1 ? prefix(">:") : infix(">:", node, 0, Prec::Comparison, outer);
  case Head::Where: print(*a[0], Prec::Shift); return enclosed(" where {", node, 1, "}");
  case Head::Arrow: {
    const bool parens = outer > Prec::Assignment;
    if (parens) put("(");
    print(*a[0], Prec::Decl);
    put(" -> ");
    print(a[1]->is(Head::Block) && a[1]->args.size() == 1 ? *a[1]->args[0] : *a[1]);
    return put(parens ? ")" : "");
  }
  case Head::If: {
    if (a.size() < 3 || a[1]->is(Head::Block) || a[2]->is(Head::Block) || a[2]->is(Head::ElseIf))
      return conditional(node);
    const bool parens = outer > Prec::Assignment; // a ? b : c
    if (parens) put("(");
    print(*a[0], Prec::Conditional);
    put(" ? ");
    print(*a[1], Prec::Conditional);
    put(" : ");
    print(*a[2], Prec::Pair);
    return put(parens ? ")" : "");
  }
  case Head::Comparison:
    if (outer >= Prec::Comparison) put("(");
    for (size_t i = 0; i < a.size(); ++i) {
      if (i > 0) put(" ");
      print(*a[i], i % 2 ? Prec::None : Prec::Comparison);
    }
    if (outer >= Prec::Comparison) put(")");
    return;
  case Head::StringInterpolation:
    put("\"");
    for (const Syntax *part : a) {
      if (part->literal.as_string()) {
        std::string quoted = to_string(part->literal);
        put(std::string_view(quoted).substr(1, quoted.size() - 2));
      } else {
        put("$(");
        print(*part);
        put(")");
      }
    }
    return put("\"");
  default: statement_form(node);
  }
}

} // namespace

std::string to_string(const Syntax &node) {
  Printer printer;
  printer.print(node);
  return std::move(printer.out);
}

} // namespace kiln::julia
