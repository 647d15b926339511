// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree. A node is what Julia's parser calls an Expr: the same heads, the same children in the same
// order (line-number nodes left out: every node has a span instead), so that user macros see what they
// expect.
#pragma once

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

#include <memory>
#include <vector>

namespace kiln::julia {

/// KILN_HEAD(enumerator, Julia's head). Leaves have no Julia head.
enum class Head : uint8_t {
#define KILN_HEAD(id, text) id,
#include "heads.def"
#undef KILN_HEAD
};
std::string_view head_text(Head head);

struct Syntax {
  Head head = Head::Error;
  uint16_t depth = 1; ///< levels of nodes from here down; the parser keeps it below its limit
  Span at;
  Symbol name;   ///< Identifier, and the name of a MacroName ("@inbounds")
  Value literal; ///< Literal: a number, string, char, Bool, nothing; QuotedSymbol: the symbol
  std::vector<Syntax *> args;
  /// Identifiers made by macro expansion: which expansion they belong to (0: the user's own text).
  uint32_t scope = 0;
  bool is(Head h) const { return head == h; }
};

/// Owns nodes; they live as long as it.
class SyntaxArena {
public:
  SyntaxArena() = default;
  SyntaxArena(const SyntaxArena &) = delete;
  SyntaxArena &operator=(const SyntaxArena &) = delete;
  Syntax *make(Head head, Span at, std::vector<Syntax *> args = {}) {
    if (used_ == chunk_size) {
      chunks_.push_back(std::make_unique<Syntax[]>(chunk_size));
      used_ = 0;
    }
    Syntax &node = chunks_.back()[used_++];
    node.head = head;
    node.at = at;
    for (const Syntax *arg : args)
      if (arg && arg->depth >= node.depth)
        node.depth = uint16_t(arg->depth < 0xffff ? arg->depth + 1 : 0xffff);
    node.args = std::move(args);
    return &node;
  }
  Syntax *identifier(Symbol name, Span at) {
    Syntax *node = make(Head::Identifier, at);
    node->name = name;
    return node;
  }
  Syntax *literal(Value value, Span at) {
    Syntax *node = make(Head::Literal, at);
    node->literal = std::move(value);
    return node;
  }

  /// A place among the nodes, in the order in which they were made.
  struct Place {
    size_t chunks = 0, used = 0;
  };
  Place place() const { return {chunks_.size(), used_}; }
  /// Ends all nodes that were made behind `place`.
  void take_back(Place place) {
    chunks_.resize(place.chunks);
    for (size_t i = place.used; place.chunks > 0 && i < chunk_size; ++i) chunks_.back()[i] = Syntax();
    used_ = place.used;
  }

private:
  static constexpr size_t chunk_size = 64; // a deque would allocate for every four nodes
  std::vector<std::unique_ptr<Syntax[]>> chunks_;
  size_t used_ = chunk_size; // of the last chunk
};

/// Julia's own printing of an Expr, near enough to read in a diagnostic or a golden test.
std::string to_string(const Syntax &node);
/// S-expression form for tests: (call + a (call * b c)).
std::string to_sexpr(const Syntax &node);

/// The name a macro call names: "@inbounds" of `Base.@inbounds x` too.
Symbol macro_name(const Syntax &node);
/// The text of a node on one line, for messages.
std::string brief(const Syntax &node, size_t limit = 60);
/// A deep copy.
Syntax *copy_tree(SyntaxArena &arena, const Syntax &node);

} // namespace kiln::julia
