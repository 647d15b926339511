// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser: recursive descent for statements and brackets, precedence climbing for infix operators. After a
// syntax error, the exception SyntaxFailure unwinds to the statement list of the file or module. The list
// continues at the next line that looks like a statement. The exception never leaves this component.
//   parser.cpp              entry, recovery, tokens, nodes
//   parser_statements.cpp   statement lists, docstrings, blocks
//   parser_operators.cpp    assignment, infix and prefix operators
//   parser_calls.cpp        suffixes of an operand: calls, indexing, fields, do
//   parser_atoms.cpp        names, literals, quotes, parentheses
//   parser_brackets.cpp     lists in brackets, arrays, comprehensions
//   parser_macros.cpp       macro calls
//   parser_strings.cpp      strings, commands, characters
//   parser_keywords.cpp     control flow
//   parser_definitions.cpp  functions, types, modules, declarations
//   parser_unread.cpp       bodies and definitions parsed on demand
//   parser_imports.cpp      import, using, export
#pragma once

#include "lexer.h"
#include "parser.h"
#include "signature.h"

#include <array>
#include <utility>

namespace kiln::julia {

struct SyntaxFailure {};

constexpr uint32_t max_depth = 1000;
constexpr size_t max_errors = 5;
/// In files of at least this size, in bytes, function bodies are dropped after parsing.
constexpr size_t large_file = 256 * 1024;

/// Properties of the place of an expression that affect how it is parsed.
struct Context {
  bool range_colon = true;      ///< `:` makes a range; false between `?` and `:`
  bool space_sensitive = false; ///< a space separates elements, as in [a -b] and @m a -b
  bool newline_ok = false;      ///< a line end is white space, as in (), {} and [a, b]
  bool end_symbol = false;      ///< `end` and `begin` are indices
  bool where = true;            ///< `where` is an operator
  bool generator = false;       ///< `for` begins a generator
};

/// Elements of a list in brackets, and the separators that were seen.
struct Items {
  std::vector<Syntax *> args;   ///< before the first `;`
  std::vector<Syntax *> params; ///< after it
  bool commas = false, splat = false, generator = false, leading_semicolon = false;
  uint32_t semicolons = 0;
  bool is_argument_list() const { return commas || splat || leading_semicolon || generator; }
};

class Parser {
public:
  Parser(TypeContext &types, SyntaxArena &arena, const SourceFile &file, const ParseOptions &options = {})
      : Parser(types, arena, file, file.text()) {
    left_out_ = options.left_out;
    watch_ = options.names;
  }
  Parser(TypeContext &types, SyntaxArena &arena, const SourceFile &file, std::string_view text);
  Result<Syntax *> file();
  Result<Syntax *> statement_at(Span at);
  Result<Syntax *> single_expression();
  Result<Syntax *> unread_body(const Syntax &body);
  Result<std::vector<Syntax *>> embedded(std::span<const EmbeddedStatement> wanted);

private:
  using Args = std::vector<Syntax *>;

  // ---- parser.cpp
  void advance() {
    previous_ = tok_;
    tok_ = lexer_.next();
  }
  /// Continues at `offset`, after text that was not read as tokens.
  void seek(uint32_t offset, Tok previous_kind);
  std::string_view text(const Token &t) const { return lexer_.text().substr(t.begin, t.end - t.begin); }
  Symbol symbol(std::string_view name);
  Symbol intern(std::string_view name); ///< called for every name of the text; reports it to `watch_`
  Symbol operator_name(const Token &t); ///< without the dot
  Span span(uint32_t begin, uint32_t end) const { return {file_.id(), begin, end}; }
  Span span(const Token &t) const { return span(t.begin, t.end); }
  /// Span of the current token. At the end of the file, the position after the last token, whose line can be
  /// shown.
  Span here() const { return at(Tok::EndOfFile) ? span(previous_.end, previous_.end) : span(tok_); }
  Syntax *make(Head head, uint32_t start, Args args) {
    return make(head, span(start, previous_.end), std::move(args));
  }
  Syntax *make(Head head, Span at, Args args);
  // This function is not inline, like all functions that report failures, since recursive functions need
  // small stack frames.
  Syntax *make(Head head, uint32_t start, Syntax *a, Syntax *b = nullptr, Syntax *c = nullptr);
  Syntax *make(Head head, Span at, Syntax *a, Syntax *b = nullptr, Syntax *c = nullptr);
  Syntax *identifier(const Token &t) { return arena_.identifier(symbol(text(t)), span(t)); }
  Syntax *operator_identifier(const Token &t) { return arena_.identifier(operator_name(t), span(t)); }
  Syntax *quoted(Symbol name, Span at);
  Syntax *string_literal(std::string value, Span at) {
    return arena_.literal(Value::string(types_, std::move(value)), at);
  }
  [[noreturn]] void fail(Span at, std::string_view message);
  [[noreturn]] void fail(Span at, std::string_view message, std::vector<Note> notes,
                         std::string_view hint = {});
  [[noreturn]] void fail_here(std::string_view message); ///< at the current token
  [[noreturn]] void fail_here(std::string_view message, std::vector<Note> notes);
  [[noreturn]] void fail_expected(std::string_view what); ///< "expected .., found .." at the current token
  [[noreturn]] void fail_expected(std::string_view what, const Token &opened, std::string_view note);
  [[noreturn]] void fail_too_deep(Span at);
  Location locate(Span at) const;
  std::string describe(const Token &t) const;
  bool at(Tok kind) const { return tok_.kind == kind; }
  bool at_newline() const { return tok_.newlines > 0 && !ctx_.newline_ok; }
  /// Fails if the operator `op` ends its line and has no right operand. Call it after advance().
  void check_right_operand(const Token &op);
  /// True at a token that ends any expression: ) ] } , ; end else .., or the end of the file.
  bool at_closer() const;
  bool at_word(std::string_view word) const { return at(Tok::Identifier) && text(tok_) == word; }
  /// True if no white space is before the current token.
  bool adjacent() const { return !tok_.space_before; }
  void expect_close(Tok kind, const Token &open, const char *what);
  void expect_end(const Token &open);
  void recover(uint32_t statement);

  struct Deeper { ///< one level of nesting
    Parser &parser;
    explicit Deeper(Parser &p) : parser(p) {
      if (++p.depth_ > max_depth) p.fail_too_deep(p.span(p.tok_));
    }
    ~Deeper() { --parser.depth_; }
  };
  struct In { ///< sets the context while the object lives
    Parser &parser;
    Context saved;
    In(Parser &p, Context c) : parser(p), saved(p.ctx_) { p.ctx_ = c; }
    ~In() { parser.ctx_ = saved; }
  };
  Context normal() const { return {}; }
  Context inside_brackets() const {
    return {.newline_ok = true, .end_symbol = ctx_.end_symbol, .generator = true};
  }

  // ---- parser_statements.cpp
  void statements(Args &into, bool recovering); ///< parses up to a closing keyword or the end of the file
  Syntax *statement();
  Syntax *left_out(); ///< null: parse this statement
  Syntax *block();    ///< parses statements into a Block, in the default context
  void end_of_statement();

  // ---- parser_operators.cpp
  Syntax *expression(); ///< parses an expression as a statement: a, b = c, d
  Syntax *element();    ///< parses an element of a list with commas: a = b
  Syntax *assignment(bool with_commas);
  Syntax *body_block(Syntax *body); ///< as a Block
  Syntax *comma_list();
  Syntax *infix(Prec min_prec);
  Syntax *ternary(uint32_t start, Syntax *condition);
  Syntax *comparison(uint32_t start, Syntax *first);
  Syntax *range(uint32_t start, Syntax *first);
  Syntax *chain(uint32_t start, Syntax *first);
  Syntax *binary(uint32_t start, const Token &op, Syntax *a, Syntax *b);
  Syntax *operand();
  Syntax *where_clauses(uint32_t start, Syntax *body);
  Syntax *juxtaposition();
  bool is_juxtaposed() const;
  Syntax *unary();
  Syntax *unary_call(const Token &op);
  Syntax *signed_number(const Token &sign);
  Syntax *factor() { return factor_from(tok_.begin, nullptr); }
  Syntax *factor_from(uint32_t start, Syntax *first);
  bool splits_elements(const Token &op) const;

  // ---- parser_calls.cpp
  Syntax *call_level() {
    uint32_t start = tok_.begin;
    return suffixes(start, prefix());
  }
  Syntax *suffixes(uint32_t start, Syntax *node, bool signature = false);
  Syntax *call_suffix(uint32_t start, Syntax *callee, bool dotted);
  void see_made_symbol(const Syntax &call);
  Syntax *index_suffix(uint32_t start, Syntax *array);
  Syntax *dot_suffix(uint32_t start, Syntax *object);
  Syntax *do_block(uint32_t start, Syntax *call);
  Syntax *with_arguments(Head head, uint32_t start, Syntax *callee, Items items);

  // ---- parser_atoms.cpp
  Syntax *prefix();
  Syntax *atom();
  Syntax *number();
  Syntax *wide_integer(Span place, std::string text);
  Syntax *quote_colon();
  Syntax *quoted_operator_in_parens();
  Syntax *parenthesized();
  Syntax *from_items(uint32_t start, Items list);

  // ---- parser_brackets.cpp
  Items items(Tok close, bool keywords, bool advance_past_close = true);
  Syntax *generator(uint32_t start, Syntax *body);
  Syntax *iteration();
  Args iterations();
  /// Parses [..]; `element_type`: a type or array before it; may be null.
  Syntax *array(Syntax *element_type, uint32_t start);
  /// Elements of a matrix, in the order of the text. Rows are made later: `separators` tells where they end.
  struct ArrayElements {
    Args nodes;
    std::vector<uint32_t> separators; ///< number of semicolons after each element but the last; 0: a space
  };
  Args array_parts(const ArrayElements &list, size_t begin, size_t end, uint32_t dimension);
  Syntax *array_rows(Syntax *element_type, uint32_t start, Syntax *first, const Token &open);
  Syntax *braces_parameters(uint32_t start, Syntax *type);

  // ---- parser_macros.cpp
  Syntax *macro_call(uint32_t start, Syntax *module);
  Syntax *macro_name(Syntax *module);
  void spaced_arguments(Args &into, bool is_doc);
  bool for_is_loop();
  Syntax *string_macro(uint32_t start, Syntax *prefix, Syntax *module);

  // ---- parser_strings.cpp
  Syntax *string();
  Syntax *command();
  Syntax *character();
  /// Reads the rest of a raw literal, whose opening delimiter is the current token.
  std::string raw_text(char delimiter);
  Syntax *interpolation(uint32_t &at);
  std::string checked_unescape(std::string_view text, uint32_t offset);

  // ---- parser_keywords.cpp
  Syntax *keyword();
  Syntax *if_expression(Head head);
  Syntax *while_loop();
  Syntax *for_loop();
  Syntax *let_block();
  Syntax *try_block();
  Syntax *return_statement();

  // ---- parser_definitions.cpp
  Syntax *function(Head head);
  Syntax *signature(bool &anonymous);
  Syntax *function_name();
  Syntax *struct_definition(bool is_mutable);
  Syntax *abstract_type();
  Syntax *primitive_type();
  Syntax *module(bool bare);
  Syntax *declaration(Head head);

  // ---- parser_unread.cpp
  Syntax *unread_block(const Token &open); ///< null: parse the body now
  /// Skips the right side of a definition; null: it must be parsed now.
  Syntax *unread_expression(uint32_t start);
  Syntax *unread(uint32_t end, uint32_t kind);
  /// Replaces the body of a function by an Unread node, from which it can be parsed again. `open`: the token
  /// that starts the function. `before`: position in the arena where the body begins.
  Syntax *dropped(Syntax *body, const Token &open, SyntaxArena::Place before);
  bool starts_line(uint32_t offset) const;
  enum BodyKind : uint32_t { StatementsBody, ExpressionBody, SpacedExpressionBody };

  // ---- parser_imports.cpp
  Syntax *import_statement(Head head);
  Syntax *import_item();
  Syntax *import_path();
  Syntax *exported_name();
  Syntax *export_statement(Head head);

  TypeContext &types_;
  SyntaxArena &arena_;
  const SourceFile &file_;
  Lexer lexer_;
  Token tok_, previous_;
  Context ctx_;
  uint32_t depth_ = 0;
  std::vector<Diagnostic> errors_;
  bool give_up_ = false;
  bool skips_bodies_ = false;      ///< in library files
  bool drops_bodies_ = false;      ///< true in large files, also in their modules
  uint32_t statement_start_ = 0;   ///< offset of the last statement of the file or module
  std::span<const Span> left_out_; ///< those not reached yet
  NameWatch *watch_ = nullptr;
  struct CachedSymbol {
    uint64_t key = 0;
    Symbol symbol;
  };
  /// Cleared for each parser, of which a session makes hundreds: one per statement or body of its library.
  std::array<CachedSymbol, 64> symbols_{};
};

} // namespace kiln::julia
