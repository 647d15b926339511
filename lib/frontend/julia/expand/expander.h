// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands function bodies: macros, and sugar for calls of Base (broadcasts, generators, do-blocks,
// interpolated strings). The result is a new tree. Scope analysis and lowering read only that tree.
#pragma once

#include "shared.h"

#include <unordered_set>

namespace kiln::julia {

class Expander {
public:
  Expander(std::shared_ptr<Shared> shared, const Module &module, SyntaxArena &arena)
      : shared_(std::move(shared)), module_(&module), arena_(arena) {}

  /// Expands a tree. Never fails: code that cannot be expanded becomes an Error node, which is reported only
  /// if it is reached.
  Syntax *expand(const Syntax &node);
  /// Makes the calls that build the Expr value of a quote.
  Syntax *quoted(const Syntax &body);

  // ---- functions that make syntax, also for methods that the front end adds
  Syntax *error(Span at, std::string message);
  Syntax *identifier(std::string_view name, uint32_t scope, Span at);
  Syntax *base(std::string_view name, Span at) { return identifier(name, BaseScope, at); }
  Syntax *core(std::string_view name, Span at) { return identifier(name, CoreScope, at); }
  Syntax *literal(Value value, Span at) { return arena_.literal(std::move(value), at); }
  Syntax *symbol(Symbol name, Span at);
  Syntax *integer(int64_t n, Span at) { return literal(shared_->types.int64(n), at); }
  Syntax *dot(Syntax *object, std::string_view name, Span at);
  Syntax *call(Syntax *callee, std::vector<Syntax *> args, Span at);
  /// Makes the functions that a @kernel defines, in a Block that is not expanded yet. An Error node if the
  /// definition is invalid.
  Syntax *kernel_definitions(const Syntax &node);
  static bool is_built_in(std::string_view name); ///< "@inbounds"
  const Shared &shared() const { return *shared_; }
  Symbol intern(std::string_view text) { return shared_->symbol(text); }
  Syntax *make(Head head, Span at, std::vector<Syntax *> args) {
    return arena_.make(head, at, std::move(args));
  }

private:
  using Handler = Syntax *(Expander::*)(const Syntax &node, std::span<Syntax *const> args);
  struct Entry {
    std::string_view name;
    Handler handler;
  };
  static std::span<const Entry> builtin_macros();

  Syntax *expand_children(const Syntax &node);
  Syntax *expand_call(const Syntax &node);
  Syntax *expand_op_assign(const Syntax &node);
  Syntax *expand_target(const Syntax &lhs);
  Syntax *expand_tuple(const Syntax &node);
  Syntax *expand_array(const Syntax &node);
  Syntax *expand_ncat(const Syntax &node);
  Syntax *expand_generator(const Syntax &node);
  Syntax *expand_do(const Syntax &node);
  Syntax *expand_function(const Syntax &node);
  Syntax *expand_let(const Syntax &node);
  Syntax *broadcast(const Syntax &node);
  Syntax *broadcast_argument(const Syntax &node);
  Syntax *dotted_target(const Syntax &node);
  Syntax *part_of(const Syntax &node);
  Syntax *dotted_operator(const Syntax &node);
  Syntax *dotted_comparison(const Syntax &node);
  Syntax *expand_macro(const Syntax &node);
  Syntax *cuda(std::string_view name, Span at);
  Syntax *fast_operator(const Syntax &callee, size_t count);
  Syntax *with_dots(const Syntax &node, bool is_binding = false);

  // ---- built-in macros
  Syntax *keep(const Syntax &node, std::span<Syntax *const> args);
  Syntax *last_argument(const Syntax &node, std::span<Syntax *const> args);
  Syntax *device_code(const Syntax &node, std::span<Syntax *const> args);
  Syntax *nothing(const Syntax &node, std::span<Syntax *const> args);
  Syntax *generated(const Syntax &node, std::span<Syntax *const> args);
  Syntax *assertion(const Syntax &node, std::span<Syntax *const> args);
  Syntax *first_value(const Syntax &node, std::span<Syntax *const> args);
  Syntax *static_if(const Syntax &node, std::span<Syntax *const> args);
  Syntax *fastmath(const Syntax &node, std::span<Syntax *const> args);
  Syntax *views(const Syntax &node, std::span<Syntax *const> args);
  Syntax *shared_memory(const Syntax &node, std::span<Syntax *const> args);
  Syntax *atomic(const Syntax &node, std::span<Syntax *const> args);
  Syntax *atomic_exchange(const Syntax &node, std::span<Syntax *const> args);
  Syntax *atomic_access(const Syntax &node, std::span<Syntax *const> args);
  Syntax *on_element(std::string_view function, const Syntax &element, std::vector<Syntax *> rest,
                     Syntax *first = nullptr);
  Syntax *on_field(std::string_view function, const Syntax &field, std::vector<Syntax *> rest);
  Syntax *atomic_array(const Syntax &element, std::vector<Syntax *> &before);
  Syntax *atomic_indices(const Syntax &element, const Syntax &array);
  Syntax *print(const Syntax &node, std::span<Syntax *const> args);
  Syntax *show(const Syntax &node, std::span<Syntax *const> args);
  Syntax *text_value(std::string_view text, Span at);
  Syntax *named_tuple_type(const Syntax &node, std::span<Syntax *const> args);
  Syntax *static_assertion(const Syntax &node, std::span<Syntax *const> args);

  // ---- macros_cartesian.cpp
  Syntax *nexprs(const Syntax &node, std::span<Syntax *const> args);
  Syntax *nif(const Syntax &node, std::span<Syntax *const> args);
  Syntax *nloops(const Syntax &node, std::span<Syntax *const> args);
  Syntax *nextract(const Syntax &node, std::span<Syntax *const> args);
  int64_t literal_count(std::span<Syntax *const> args);
  Syntax *numbered(const Syntax &name, int64_t i);
  Syntax *inlined(const Syntax &body, int64_t i);

  Syntax *dot_macro(const Syntax &node, std::span<Syntax *const> args);
  Syntax *module_macro(const Syntax &node, std::span<Syntax *const> args);
  bool runs_eval() const;
  Syntax *global_method(const Syntax &node, const Syntax *macro = nullptr);
  Syntax *at_top_level(const Syntax &node);
  void note_type(const Syntax &definition);
  Syntax *place_macro(const Syntax &node, std::span<Syntax *const> args); ///< @__FILE__, @__DIR__, @__LINE__
  Syntax *eval(const Syntax &node, std::span<Syntax *const> args);
  Syntax *forwarded_keywords(const Syntax &parameters);
  Syntax *no_macro(const Syntax &node, std::span<Syntax *const> args);

  // ---- macros_kernel.cpp: KernelAbstractions
  Syntax *abstractions(std::string_view name, Span at);
  void split_at_barriers(const Syntax &block, std::vector<Syntax *> &out);
  Syntax *with_barriers_split(const Syntax &node);
  Syntax *kernel(const Syntax &node, std::span<Syntax *const> args);
  Syntax *kernel_index(const Syntax &node, std::span<Syntax *const> args);
  Syntax *kernel_query(const Syntax &node, std::span<Syntax *const> args);
  Syntax *kernel_memory(const Syntax &node, std::span<Syntax *const> args);
  Syntax *kernel_launch(const Syntax &node, std::span<Syntax *const> args);
  Syntax *kernel_barrier(const Syntax &node, std::span<Syntax *const> args);

  std::shared_ptr<Shared> shared_;
  const Module *module_;
  SyntaxArena &arena_;
  bool fastmath_ = false;
  bool views_ = false;
  std::unordered_set<Symbol> new_types_; ///< names of types that definitions inside of local code make
  bool in_message_ = false; ///< true inside arguments of throw or error, whose texts are not made
};

/// Applies a user's macro to a call: substitutes the arguments in its template, or runs it. The result is not
/// expanded yet.
Result<Syntax *> expand_user_macro(const std::shared_ptr<Shared> &shared, SyntaxArena &arena,
                                   MacroDefinition &macro, const Syntax &call, const Module &caller);

/// Adds Expr(...), esc and gensym to Base and Core, when they are first needed.
Result<void> add_macro_library(Shared &shared);

} // namespace kiln::julia
