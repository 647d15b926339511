// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree. A node corresponds to an Expr of Julia's parser, with the same head and the same children
// in the same order. User macros thus see the structure that they expect. There are no line-number nodes,
// since every node has a span.
#pragma once

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

#include <memory>
#include <vector>

namespace kiln::julia {

/// Kinds of nodes, from the list in heads.def. Leaves have no head in Julia.
enum class Head : uint8_t {
#define KILN_HEAD(id, text) id,
#include "heads.def"
#undef KILN_HEAD
};
std::string_view head_text(Head head);

/// Line numbers in the quoted form of a Block.
enum class BlockLines : uint8_t {
  Before,     ///< one before each statement
  Definition, ///< that of the definition whose body the block is, then as Before
  Between,    ///< not before the first statement: (a; b)
  None        ///< the bindings of a let, code that a macro makes
};

struct Syntax {
  Head head = Head::Error;
  BlockLines lines = BlockLines::Before; ///< of a Block
  uint16_t depth = 1;                    ///< height of the subtree, which the parser limits
  Span at;
  Symbol name;   ///< of Identifier, and of MacroName ("@inbounds")
  Value literal; ///< value of a Literal (number, string, char, Bool, nothing), or symbol of a QuotedSymbol
  std::vector<Syntax *> args;
  /// Number of the macro expansion that made the identifier; 0: it is in the user's own text.
  uint32_t scope = 0;
  bool is(Head h) const { return head == h; }
};

/// Owns nodes.
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

  /// A position in the arena. Nodes are in the order in which they were made.
  struct Place {
    size_t chunks = 0, used = 0;
  };
  Place place() const { return {chunks_.size(), used_}; }
  /// Deletes all nodes that were made after `place`.
  void take_back(Place place) {
    chunks_.resize(place.chunks);
    for (size_t i = place.used; place.chunks > 0 && i < chunk_size; ++i) chunks_.back()[i] = Syntax();
    used_ = place.used;
  }

private:
  // Nodes per allocation; a std::deque would allocate for every four nodes.
  static constexpr size_t chunk_size = 64;
  std::vector<std::unique_ptr<Syntax[]>> chunks_;
  size_t used_ = chunk_size; // in the last chunk
};

/// Prints a node about as Julia prints an Expr, for diagnostics and tests.
std::string to_string(const Syntax &node);
/// Prints a node as an S-expression, for tests: (call + a (call * b c)).
std::string to_sexpr(const Syntax &node);

/// Returns the name of a macro call, "@inbounds", without the module in `Base.@inbounds x`.
Symbol macro_name(const Syntax &node);
/// Text of a node in one line, for messages. Longer texts than `limit` are cut.
std::string brief(const Syntax &node, size_t limit = 60);
/// True if the node has the children that its head requires (heads.def). Macros and eval may make others.
bool is_well_formed(const Syntax &node);
/// True if the text begins with an operator without a dot, such as "+" or "<=".
bool is_operator_name(std::string_view text);
/// True for a product such as 2x, which Julia prints without the operator.
bool is_scaled_name(const Syntax &product);
/// A copy without children.
Syntax *copy_node(SyntaxArena &arena, const Syntax &node);
/// A deep copy.
Syntax *copy_tree(SyntaxArena &arena, const Syntax &node);

} // namespace kiln::julia
