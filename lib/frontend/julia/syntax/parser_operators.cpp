// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers.h"
#include "parser_core.h"

namespace kiln::julia {

namespace {

Prec after(Prec p) { return Prec(uint8_t(p) + 1); }

bool is_right_associative(Prec p) {
  return p == Prec::Pair || p == Prec::Arrow || p == Prec::Or || p == Prec::And || p == Prec::PipeLeft;
}

/// True for infix operators that are also prefix operators.
bool is_unary(Tok kind) {
  return kind == Tok::Plus || kind == Tok::Minus || kind == Tok::Not || kind == Tok::Tilde ||
         kind == Tok::Ampersand || kind == Tok::UnaryOperator;
}

/// True for the left side of a method definition: f(x), f(x)::T, f(x) where T.
bool is_method_head(const Syntax *lhs) {
  while (lhs->is(Head::Where) || (lhs->is(Head::TypeAssert) && lhs->args.size() == 2)) lhs = lhs->args[0];
  return lhs->is(Head::Call);
}

} // namespace

Syntax *Parser::expression() { return assignment(true); }
Syntax *Parser::element() { return assignment(false); }

/// True if spaces separate elements here, and a space is before the operator but none after it. The operator
/// then begins a new element.
bool Parser::splits_elements(const Token &op) const {
  return ctx_.space_sensitive && op.space_before && !lexer_.is_space_at(op.end);
}

void Parser::check_right_operand(const Token &op) {
  if (at_closer() && (tok_.newlines || at(Tok::EndOfFile)))
    fail(span(op), fmt::format("{} has no right operand", describe(op)),
         {Note{fmt::format("{} follows", describe(tok_)), locate(span(tok_))}});
}

Syntax *Parser::assignment(bool with_commas) {
  const uint32_t start = tok_.begin;
  Syntax *lhs = with_commas ? comma_list() : infix(Prec::Pair);
  if (tok_.prec != Prec::Assignment || at_newline()) return lhs;
  if (at(Tok::Tilde) && splits_elements(tok_)) return lhs;
  const Token op = tok_;
  advance();
  check_right_operand(op);
  if (op.kind == Tok::Assign && !op.dotted && with_commas && is_method_head(lhs))
    if (Syntax *body = unread_expression(start)) return make(Head::Assign, start, lhs, body);
  Deeper level(*this);
  Syntax *rhs = assignment(with_commas);
  switch (op.kind) {
  case Tok::Assign:
    if (op.dotted) return make(Head::DotAssign, start, lhs, rhs);
    if (is_method_head(lhs)) rhs = body_block(rhs);
    return make(Head::Assign, start, lhs, rhs);
  case Tok::OpAssign: {
    std::string_view name = text(op).substr(op.dotted ? 1 : 0);
    Syntax *operation = arena_.identifier(symbol(name.substr(0, name.size() - 1)), span(op));
    return make(op.dotted ? Head::DotOpAssign : Head::OpAssign, start, operation, lhs, rhs);
  }
  default: return binary(start, op, lhs, rhs);
  }
}

Syntax *Parser::comma_list() {
  const uint32_t start = tok_.begin;
  Syntax *first = infix(Prec::Pair);
  if (!at(Tok::Comma) || at_newline()) return first;
  Args elements{first};
  while (at(Tok::Comma) && !at_newline()) {
    advance();
    if (at(Tok::Assign) || (at_closer() && !at(Tok::Comma))) break; // x, = f()
    elements.push_back(infix(Prec::Pair));
  }
  return make(Head::Tuple, start, std::move(elements));
}

Syntax *Parser::binary(uint32_t start, const Token &op, Syntax *a, Syntax *b) {
  return make(op.dotted ? Head::DotCall : Head::Call, start, operator_identifier(op), a, b);
}

Syntax *Parser::infix(Prec min_prec) {
  Deeper level(*this);
  const uint32_t start = tok_.begin;
  Syntax *lhs = operand();
  for (;;) {
    if (at_newline()) return lhs;
    const Token op = tok_;
    if (op.kind == Tok::Ellipsis) {
      if (min_prec > Prec::Colon) return lhs;
      advance();
      lhs = make(Head::Splat, start, lhs);
      continue;
    }
    const Prec prec = op.prec;
    if (prec < min_prec || prec == Prec::None || prec > Prec::Shift) return lhs;
    if ((is_unary(op.kind) || op.kind == Tok::Colon) && splits_elements(op)) return lhs;
    if (prec == Prec::Conditional) {
      if (ctx_.space_sensitive && !op.space_before) fail_here("`?` wants a space on both sides");
      lhs = ternary(start, lhs);
    } else if (prec == Prec::Comparison) {
      lhs = comparison(start, lhs);
    } else if (op.kind == Tok::Colon) {
      if (!ctx_.range_colon) return lhs;
      lhs = range(start, lhs);
    } else if ((op.kind == Tok::Plus || op.kind == Tok::PlusPlus || op.kind == Tok::Star) && !op.dotted &&
               !op.suffixed) {
      lhs = chain(start, lhs);
    } else {
      advance();
      check_right_operand(op);
      Syntax *rhs = infix(is_right_associative(prec) ? prec : after(prec));
      if ((op.kind == Tok::AndAnd || op.kind == Tok::OrOr) && !op.dotted)
        lhs = make(op.kind == Tok::AndAnd ? Head::And : Head::Or, start, lhs, rhs);
      else
        lhs = binary(start, op, lhs, rhs);
    }
  }
}

/// Parses a + b + c as one call. Chains of ++ and * are single calls, too.
Syntax *Parser::chain(uint32_t start, Syntax *first) {
  const Token op = tok_;
  Args args{operator_identifier(op), first};
  do {
    const Token next = tok_;
    advance();
    check_right_operand(next);
    args.push_back(infix(after(op.prec)));
  } while (tok_.kind == op.kind && !tok_.dotted && !tok_.suffixed && !at_newline() &&
           !(is_unary(tok_.kind) && splits_elements(tok_)));
  return make(Head::Call, start, std::move(args));
}

Syntax *Parser::comparison(uint32_t start, Syntax *first) {
  std::vector<Token> operators;
  Args operands{first};
  while (tok_.prec == Prec::Comparison && !at_newline()) {
    operators.push_back(tok_);
    advance();
    check_right_operand(operators.back());
    operands.push_back(infix(Prec::PipeLeft));
  }
  if (operators.size() == 1) {
    const Token &op = operators[0];
    if (!op.dotted && (op.kind == Tok::Subtype || op.kind == Tok::Supertype) && !op.suffixed)
      return make(op.kind == Tok::Subtype ? Head::Subtype : Head::Supertype, start, std::move(operands));
    return binary(start, op, operands[0], operands[1]);
  }
  Args args{first};
  for (size_t i = 0; i < operators.size(); ++i) {
    args.push_back(identifier(operators[i]));
    args.push_back(operands[i + 1]);
  }
  return make(Head::Comparison, start, std::move(args));
}

Syntax *Parser::range(uint32_t start, Syntax *first) {
  Args args{arena_.identifier(symbol(":"), span(tok_)), first};
  do {
    advance();
    if (at_newline())
      fail_here("a range cannot go on after a line end: `:` wants its right side on the same line");
    args.push_back(infix(Prec::Plus));
  } while (args.size() < 4 && at(Tok::Colon) && !at_newline() && !splits_elements(tok_));
  return make(Head::Call, start, std::move(args));
}

Syntax *Parser::ternary(uint32_t start, Syntax *condition) {
  const Token question = tok_;
  if (!question.space_before || !lexer_.is_space_at(question.end))
    fail_here("`?` wants a space on both sides");
  advance();
  Syntax *then;
  {
    Context middle = ctx_;
    middle.range_colon = false;
    In in(*this, middle);
    then = element();
  }
  if (!at(Tok::Colon)) fail_expected("`:` of `a ? b : c`", question, "`?` is here");
  if (!tok_.space_before || !lexer_.is_space_at(tok_.end))
    fail_here("`:` of `a ? b : c` wants a space on both sides");
  advance();
  Syntax *otherwise = element();
  return make(Head::If, start, condition, then, otherwise);
}

Syntax *Parser::operand() {
  const uint32_t start = tok_.begin;
  Syntax *node;
  if ((at(Tok::Subtype) || at(Tok::Supertype)) && !tok_.dotted) {
    const Token op = tok_;
    advance();
    if (at_closer() || at_newline() || at(Tok::Ellipsis)) {
      node = operator_identifier(op);
    } else if (at(Tok::LParen) && adjacent()) {
      Items list = items(Tok::RParen, true);
      if (list.args.size() == 1 && !list.is_argument_list())
        node = make(op.kind == Tok::Subtype ? Head::Subtype : Head::Supertype, start, std::move(list.args));
      else
        node = suffixes(start, with_arguments(Head::Call, start, operator_identifier(op), std::move(list)));
    } else {
      Deeper level(*this);
      Syntax *type = operand();
      node = make(op.kind == Tok::Subtype ? Head::Subtype : Head::Supertype, start, type);
    }
  } else {
    node = juxtaposition();
  }
  if (at(Tok::Where) && ctx_.where && !at_newline()) node = where_clauses(start, node);
  return node;
}

Syntax *Parser::where_clauses(uint32_t start, Syntax *body) {
  Context inner = ctx_;
  inner.where = false;
  In in(*this, inner);
  while (at(Tok::Where) && !at_newline()) {
    advance();
    Args args{body};
    if (at(Tok::LBrace)) {
      Items list = items(Tok::RBrace, false);
      for (Syntax *variable : list.args) args.push_back(variable);
    } else {
      args.push_back(infix(Prec::Comparison));
    }
    body = make(Head::Where, start, std::move(args));
  }
  return body;
}

/// True if the current token is a factor of a product without a sign: 2x, 2(x + 1), (a)b, 2√x.
bool Parser::is_juxtaposed() const {
  if (tok_.space_before || tok_.newlines) return false;
  switch (previous_.kind) {
  case Tok::Number:
  case Tok::RParen:
  case Tok::RBracket:
  case Tok::RBrace:
  case Tok::Prime: break;
  case Tok::Identifier: return at(Tok::UnaryOperator) && !tok_.dotted;
  default: return false;
  }
  switch (tok_.kind) {
  case Tok::Identifier: return true;
  case Tok::UnaryOperator: return !tok_.dotted;
  case Tok::LParen: return previous_.kind == Tok::Number;
  case Tok::KwEnd:
  case Tok::KwBegin: return ctx_.end_symbol;
  default: return false;
  }
}

Syntax *Parser::juxtaposition() {
  const uint32_t start = tok_.begin;
  Syntax *node = unary();
  while (is_juxtaposed()) {
    const Span place = span(tok_.begin, tok_.begin);
    Syntax *rhs = at(Tok::UnaryOperator) ? unary() : factor();
    node = make(Head::Call, start, arena_.identifier(symbol("*"), place), node, rhs);
  }
  if (at(Tok::DoubleQuote) && adjacent() && previous_.kind == Tok::Number)
    fail_here("a number cannot be multiplied by a string");
  return node;
}

Syntax *Parser::unary() {
  if (!is_operator(tok_.kind) || at(Tok::Dollar) || at(Tok::Colon) || at(Tok::DoubleColon) || at(Tok::In) ||
      at(Tok::Isa))
    return factor();
  if (at(Tok::Where)) { // in place of an operand, `where` is a name
    tok_.kind = Tok::Identifier;
    return factor();
  }
  const Token op = tok_;
  if ((op.kind == Tok::Plus || op.kind == Tok::Minus) && !op.dotted && !op.suffixed &&
      op.end - op.begin == 1) {
    char c = lexer_.peek(op.end), d = lexer_.peek(op.end + 1);
    auto digit = [](char x) { return x >= '0' && x <= '9'; };
    if (digit(c) || (c == '.' && digit(d))) return signed_number(op);
  }
  return unary_call(op);
}

/// Parses a sign and a number. -2 is a literal, unless an operator follows that binds tighter than the sign:
/// -2^x.
Syntax *Parser::signed_number(const Token &sign) {
  advance();
  const Token digits = tok_;
  if (!at(Tok::Number)) return factor(); // malformed: factor() reports it
  const char next = lexer_.peek(digits.end);
  Token following = Lexer(lexer_).next();
  bool power = following.prec == Prec::Power && following.newlines == 0;
  std::string_view spelled = text(digits);
  bool is_unsigned = spelled.size() > 1 && spelled[0] == '0' &&
                     (spelled[1] == 'x' || spelled[1] == 'o' || spelled[1] == 'b');
  if (power || is_unsigned || next == '[' || next == '{') {
    Deeper level(*this);
    Syntax *value = factor();
    return make(Head::Call, sign.begin, operator_identifier(sign), value);
  }
  NumberResult number = parse_number(types_, spelled, sign.kind == Tok::Minus);
  if (!number.error.empty()) fail_here(number.error);
  advance();
  const Span place = span(sign.begin, digits.end);
  Syntax *literal = number.is_wide ? wide_integer(place, std::string(text(sign)) + std::string(spelled))
                                   : arena_.literal(std::move(number.value), place);
  return factor_from(sign.begin, suffixes(sign.begin, literal));
}

Syntax *Parser::unary_call(const Token &op) {
  const Head head = op.dotted ? Head::DotCall : Head::Call;
  if (op.kind == Tok::Assign || op.kind == Tok::OpAssign || op.kind == Tok::Question || op.kind == Tok::Arrow)
    fail_expected("an expression");
  advance();
  const bool adjacent_paren = at(Tok::LParen) && adjacent();
  auto as_name = [&]() -> Syntax * {
    if (op.kind == Tok::AndAnd || op.kind == Tok::OrOr || op.kind == Tok::Ellipsis)
      fail(span(op), fmt::format("expected an expression, found {}", describe(op)));
    Syntax *name = operator_identifier(op);
    return op.dotted ? make(Head::Dot, span(op), name) : name;
  };
  if (adjacent_paren && op.kind != Tok::Ellipsis) {
    const uint32_t paren = tok_.begin;
    if (op.kind == Tok::AndAnd || op.kind == Tok::OrOr)
      fail(span(op), fmt::format("{} is no function", describe(op)));
    Items list = items(Tok::RParen, true);
    const bool is_list = list.is_argument_list() || list.args.empty() || list.args[0]->is(Head::Kw);
    if (!is_unary(op.kind) || is_list)
      return factor_from(op.begin, suffixes(op.begin, with_arguments(head, op.begin, operator_identifier(op),
                                                                     std::move(list))));
    Syntax *value = factor_from(paren, suffixes(paren, from_items(paren, std::move(list))));
    return make(head, op.begin, operator_identifier(op), value);
  }
  // An operator without an operand is a name, as in reduce(+, x).
  const bool is_word = at(Tok::In) || at(Tok::Isa);
  const bool is_called = is_unary(op.kind) && lexer_.peek(tok_.end) == '('; // !>(a, b) is !(a > b)
  const bool infix_follows = (is_operator(tok_.kind) && tok_.prec != Prec::None && !is_unary(tok_.kind) &&
                              !is_word && !is_called && !(at(Tok::Colon) && !lexer_.is_space_at(tok_.end)) &&
                              !at(Tok::DoubleColon) && !at(Tok::Subtype) && !at(Tok::Supertype)) ||
                             at(Tok::Ellipsis) || at(Tok::Where) || at(Tok::Dot) ||
                             (at(Tok::KwFor) && ctx_.generator);
  if (at_closer() || at_newline() || infix_follows)
    return factor_from(op.begin, suffixes(op.begin, as_name()));
  if (!is_unary(op.kind)) fail(span(op), fmt::format("{} is not a unary operator", describe(op)));
  Deeper level(*this);
  Syntax *value = unary();
  return make(head, op.begin, operator_identifier(op), value);
}

/// Parses powers, type assertions and arrows. `first`: an operand that is already parsed; null: parse it.
Syntax *Parser::factor_from(uint32_t start, Syntax *first) {
  Syntax *node = first ? first : call_level();
  while (at(Tok::DoubleColon) && !at_newline()) {
    advance();
    Deeper level(*this);
    const uint32_t type_start = tok_.begin;
    Syntax *type = call_level();
    if (at(Tok::Where) && ctx_.where && !at_newline()) type = where_clauses(type_start, type);
    node = make(Head::TypeAssert, start, node, type);
  }
  if (at(Tok::Arrow) && !at_newline()) {
    advance();
    Deeper level(*this);
    if (node->is(Head::Splat)) node = make(Head::Tuple, node->at, node); // (xs...) -> ..
    if (node->is(Head::Block)) {                                         // the parameters of (x; y = 1) -> ..
      Args args{nullptr};
      for (size_t i = 0; i < node->args.size(); ++i) {
        Syntax *arg = node->args[i];
        if (i > 0 && arg->is(Head::Assign)) arg->head = Head::Kw;
        args.push_back(arg);
      }
      Args params(args.size() > 2 ? args.begin() + 2 : args.end(), args.end());
      args[0] = make(Head::Parameters, node->at, std::move(params));
      args.resize(std::min<size_t>(args.size(), 2));
      node = make(Head::Tuple, node->at, std::move(args));
    }
    Syntax *body = element();
    return make(Head::Arrow, start, node, body_block(body));
  }
  if (tok_.prec == Prec::Power && !at_newline()) {
    const Token op = tok_;
    advance();
    Deeper level(*this);
    Syntax *exponent = juxtaposition();
    return binary(start, op, node, exponent);
  }
  return node;
}

} // namespace kiln::julia
