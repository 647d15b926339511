// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow graph of flat code, for the verifier and SSA construction. Internal to the component.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

inline constexpr uint32_t NoBlock = ~uint32_t(0);

struct FlowBlock {
  uint32_t begin = 0, end = 0; ///< statements [begin, end)
  std::vector<uint32_t> preds,
      succs; ///< of GotoIfNot: {fall through, target}, two even if they are equal
};

/// Reachable blocks in reverse post order; 0 is the entry.
struct FlowGraph {
  std::vector<FlowBlock> blocks;
  std::vector<uint32_t> block_of; ///< statement -> block; NoBlock: unreachable
};

inline bool is_terminator(Op op) {
  return op == Op::Goto || op == Op::GotoIfNot || op == Op::Return || op == Op::Unreachable;
}

/// Requires targets in range, and control that does not fall off the end.
FlowGraph flow_graph(const CodeInfo &code);

/// Reachable nodes in reverse post order, node 0 first; a node's first successor follows it where possible.
std::vector<uint32_t> reverse_post_order(const std::vector<std::vector<uint32_t>> &succs);

/// Immediate dominators of nodes numbered in reverse post order (Cooper, Harvey, Kennedy, "A Simple, Fast
/// Dominance Algorithm", 2001); the entry's is itself.
std::vector<uint32_t> immediate_dominators(const std::vector<std::vector<uint32_t>> &preds);

/// True if a dominates b. `idom`: immediate dominators in reverse post-order.
bool dominates(const std::vector<uint32_t> &idom, uint32_t a, uint32_t b);

} // namespace kiln
