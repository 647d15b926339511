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
      succs; ///< of GotoIfNot: {fall through, target}, always two, even if both are the same block
};

/// Control flow graph: reachable blocks in reverse post-order. Block 0 is the entry.
struct FlowGraph {
  std::vector<FlowBlock> blocks;
  std::vector<uint32_t> block_of; ///< statement -> block; NoBlock: unreachable
};

inline bool is_terminator(Op op) {
  return op == Op::Goto || op == Op::GotoIfNot || op == Op::Return || op == Op::Unreachable;
}

/// Makes the control flow graph. Jump targets must be in range, and the last statement must be a terminator.
FlowGraph flow_graph(const CodeInfo &code);

/// Returns the reachable nodes in reverse post-order, node 0 first. A node's first successor follows it
/// directly where possible.
std::vector<uint32_t> reverse_post_order(const std::vector<std::vector<uint32_t>> &succs);

/// Returns the immediate dominator of each node. Nodes are numbered in reverse post-order; the entry is its
/// own dominator. Algorithm: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
std::vector<uint32_t> immediate_dominators(const std::vector<std::vector<uint32_t>> &preds);

/// True if node a dominates node b. `idom`: result of immediate_dominators().
bool dominates(const std::vector<uint32_t> &idom, uint32_t a, uint32_t b);

} // namespace kiln
