// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cfg.h"

namespace kiln {

std::vector<uint32_t> reverse_post_order(const std::vector<std::vector<uint32_t>> &succs) {
  std::vector<uint32_t> order;
  if (succs.empty()) return order;
  std::vector<bool> seen(succs.size(), false);
  std::vector<std::pair<uint32_t, size_t>> stack{{0, succs[0].size()}};
  seen[0] = true;
  while (!stack.empty()) {
    auto &[node, left] = stack.back();
    // The first successor is visited last, so that it follows the node directly in the result.
    if (left == 0) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    uint32_t next = succs[node][--left];
    if (!seen[next]) {
      seen[next] = true;
      stack.emplace_back(next, succs[next].size());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<uint32_t> immediate_dominators(const std::vector<std::vector<uint32_t>> &preds) {
  std::vector<uint32_t> idom(preds.size(), NoBlock);
  if (idom.empty()) return idom;
  idom[0] = 0;
  auto intersect = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (a > b) a = idom[a];
      while (b > a) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block = 1; block < preds.size(); ++block) {
      uint32_t dominator = NoBlock;
      for (uint32_t pred : preds[block])
        if (idom[pred] != NoBlock) dominator = dominator == NoBlock ? pred : intersect(pred, dominator);
      if (idom[block] != dominator) {
        idom[block] = dominator;
        changed = true;
      }
    }
  }
  return idom;
}

bool dominates(const std::vector<uint32_t> &idom, uint32_t a, uint32_t b) {
  while (b > a) b = idom[b];
  return a == b;
}

FlowGraph flow_graph(const CodeInfo &code) {
  const auto &stmts = code.stmts;
  const uint32_t count = uint32_t(stmts.size());
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (uint32_t i = 0; i < count; ++i) {
    // Enter starts a block at its exception handler, but adds no edge: compiled code has no protected
    // regions.
    if (stmts[i].op == Op::Goto || stmts[i].op == Op::GotoIfNot || stmts[i].op == Op::Enter)
      leader[stmts[i].target] = true;
    if (is_terminator(stmts[i].op)) leader[i + 1] = true;
  }
  std::vector<FlowBlock> all;
  std::vector<uint32_t> all_of(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (leader[i]) all.push_back({i, i, {}, {}});
    all.back().end = i + 1;
    all_of[i] = uint32_t(all.size() - 1);
  }
  std::vector<std::vector<uint32_t>> succs(all.size());
  for (uint32_t b = 0; b < all.size(); ++b) {
    const Stmt &last = stmts[all[b].end - 1];
    switch (last.op) {
    case Op::Goto: succs[b] = {all_of[last.target]}; break;
    case Op::GotoIfNot: succs[b] = {all_of[all[b].end], all_of[last.target]}; break;
    case Op::Return:
    case Op::Unreachable: break;
    default: succs[b] = {all_of[all[b].end]}; break;
    }
  }
  FlowGraph graph;
  graph.block_of.assign(count, NoBlock);
  std::vector<uint32_t> order = reverse_post_order(succs), number(all.size(), NoBlock);
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  graph.blocks.resize(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    FlowBlock &block = graph.blocks[i];
    block.begin = all[order[i]].begin;
    block.end = all[order[i]].end;
    for (uint32_t s = block.begin; s < block.end; ++s) graph.block_of[s] = i;
    for (uint32_t succ : succs[order[i]]) {
      block.succs.push_back(number[succ]);
      graph.blocks[number[succ]].preds.push_back(i);
    }
  }
  return graph;
}

} // namespace kiln
