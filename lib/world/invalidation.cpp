// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backedges: a new definition invalidates dependents, such as code instances. A dependent ends only if
// something that it relied on has changed.
#include "state.h"

namespace kiln {

void World::State::end(DependentRecord &record, WorldAge age) {
  if (std::exchange(record.ended, true)) return;
  if (auto dependent = record.dependent.lock()) dependent->invalidate(age);
}

void World::State::method_added(TypeContext &types, const Method &method, Callee *callee, WorldAge age) {
  MethodEntry entry; // created on demand
  auto visit = [&](Callee &of) {
    if (!of.backedges.empty() && !entry.method) entry = method_entry(types, method);
    for (CallBackedge &edge : of.backedges) {
      if (!searches(edge.overlay, method.overlay) || !may_match(entry, tuple_elements(types, edge.arguments)))
        continue;
      MethodMatch now = choose_method(types, callees, of, edge.arguments, age, edge.overlay);
      bool changed = now.method != edge.method;
      // If the argument types of the call are not all concrete, any applicable method changes the result.
      if (!changed && !types.is_dispatch_tuple(edge.arguments))
        changed = may_intersect(types, method.signature, edge.arguments);
      if (!changed) continue;
      edge.method = now.method;
      for (auto &record : std::exchange(edge.records, {})) end(*record, age);
    }
  };
  if (callee)
    visit(*callee);
  else
    for (auto &each : callees.callees) visit(*each);
}

void World::State::bindings_changed(const World &world, Symbol name, WorldAge age) {
  auto visit = [&](Symbol of, std::vector<BindingBackedge> &edges) {
    std::erase_if(edges, [&](BindingBackedge &edge) {
      if (edge.record->is_expired()) return true;
      Resolution now = resolve(world, *edge.module, of, age);
      WorldAge version = now.version ? now.version->begin : 0;
      if (now.binding.get() == edge.binding && version == edge.version && !now.second) return false;
      end(*edge.record, age);
      return true;
    });
  };
  if (!name) {
    for (auto &[each, edges] : binding_edges) visit(each, edges);
  } else if (auto found = binding_index.find(name); found != binding_index.end()) {
    visit(name, binding_edges[found->second].second);
  }
}

bool CompilerWorld::add_edges(std::shared_ptr<Dependent> dependent, std::span<const Edge> edges,
                              WorldAge world) {
  std::scoped_lock hold(state_->lock);
  State &state = *state_;
  WorldAge now = age_.load(std::memory_order_relaxed);
  auto callee_of = [&](const Edge &edge) -> Callee & {
    return state.callees.callee(callee_name(types_, edge.arguments), now);
  };
  auto holds = [&](const Edge &edge) {
    switch (edge.kind) {
    case Edge::Kind::Call:
      return choose_method(types_, state.callees, callee_of(edge), edge.arguments, now, edge.overlay)
                 .method == edge.method;
    case Edge::Kind::Binding: {
      auto then = state.resolve(*this, *edge.binding.module, edge.binding.name, world);
      auto today = state.resolve(*this, *edge.binding.module, edge.binding.name, now);
      return then.binding == today.binding && then.version == today.version && then.second == today.second;
    }
    case Edge::Kind::TypeLayout: return true; // always valid: a redefined struct is a new type
    }
    return false;
  };
  if (now != world && !std::all_of(edges.begin(), edges.end(), holds)) {
    dependent->invalidate(world + 1);
    return false;
  }

  auto record = std::make_shared<DependentRecord>();
  record->dependent = std::move(dependent);
  for (const Edge &edge : edges) {
    if (edge.kind == Edge::Kind::Call) {
      Callee &callee = callee_of(edge);
      auto [found, is_new] =
          callee.backedge_index.try_emplace({edge.arguments, edge.overlay}, callee.backedges.size());
      if (is_new) callee.backedges.push_back({edge.arguments, edge.overlay, edge.method, {}});
      auto &records = callee.backedges[found->second].records;
      if (!records.empty() && records.back() == record) continue;
      if (records.size() >= 8 && (records.size() & (records.size() - 1)) == 0)
        std::erase_if(records, [](const auto &record) { return record->is_expired(); });
      records.push_back(record);
    } else if (edge.kind == Edge::Kind::Binding) {
      auto today = state.resolve(*this, *edge.binding.module, edge.binding.name, now);
      auto [found, is_new] = state.binding_index.try_emplace(edge.binding.name, state.binding_edges.size());
      if (is_new) state.binding_edges.push_back({edge.binding.name, {}});
      state.binding_edges[found->second].second.push_back(
          {edge.binding.module, today.binding.get(), today.version ? today.version->begin : 0, record});
    }
  }
  return true;
}

} // namespace kiln
