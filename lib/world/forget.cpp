// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frees the definitions of old worlds, so that a World that is redefined for days does not grow.
#include "state.h"

namespace kiln {

size_t CompilerWorld::retired() const { return state_->retired.load(std::memory_order_relaxed); }
WorldAge CompilerWorld::oldest() const { return state_->oldest.load(std::memory_order_acquire); }

namespace {

/// True if no world that is still needed sees the method.
bool has_ended(const Method &method, WorldAge oldest_needed) {
  const WorldAge end = method.end.load(std::memory_order_relaxed);
  return end != EndOfTime && end <= oldest_needed;
}

void forget_methods(MethodGroup &group, WorldAge oldest_needed) {
  auto ended = [&](const MethodEntry &entry) { return has_ended(*entry.method, oldest_needed); };
  group.common.erase_if(ended);
  group.added.erase_if(ended);
  for (auto &[overlay, table] : group.overlays) table.erase_if(ended);
}

void forget_backedges(Callee &callee) {
  for (CallBackedge &edge : callee.backedges)
    std::erase_if(edge.records, [](const auto &record) { return record->is_expired(); });
  if (std::erase_if(callee.backedges, [](const CallBackedge &edge) { return edge.records.empty(); }) == 0)
    return;
  callee.backedges.shrink_to_fit();
  callee.backedge_index.clear();
  for (size_t i = 0; i < callee.backedges.size(); ++i)
    callee.backedge_index.emplace(LookupKey{callee.backedges[i].arguments, callee.backedges[i].overlay}, i);
}

} // namespace

void CompilerWorld::forget(const std::unordered_set<const Method *> &in_use, WorldAge oldest_needed) {
  std::scoped_lock evaluating(*state_->evaluation);
  std::scoped_lock hold(state_->lock);
  State &state = *state_;
  WorldAge oldest = state.oldest.load(std::memory_order_relaxed);

  // Keep methods whose code is in use. The code of an expansion (generated function) also needs the method
  // that made it. Some methods may have ended after the sweep chose what to keep, and expansions' ends are
  // recorded only here. The next sweep drops these.
  std::unordered_set<const Method *> kept = in_use;
  for (auto &[key, expansion] : state.expansions) {
    if (!expansion) continue;
    expansion->end.store(key.method->end.load(std::memory_order_relaxed), std::memory_order_relaxed);
    if (in_use.contains(expansion.get())) kept.insert(key.method);
  }
  auto goes = [&](const Method &method) {
    return has_ended(method, oldest_needed) && !kept.contains(&method);
  };

  // Drop all references to a method before the method itself.
  forget_methods(state.callees.general, oldest_needed);
  forget_methods(state.callees.general_types, oldest_needed);
  for (auto &callee : state.callees.callees) {
    forget_methods(callee->methods, oldest_needed);
    forget_backedges(*callee);
    callee->cache.clear();
  }
  {
    std::scoped_lock instances(state.instance_lock);
    std::erase_if(state.instances, [&](const auto &each) { return goes(*each.first.method); });
  }
  std::erase_if(state.expansions, [&](const auto &each) { return goes(*each.first.method); });
  std::erase_if(state.methods, [&](const std::unique_ptr<Method> &method) {
    if (has_ended(*method, oldest_needed)) // removed from its table above
      oldest = std::max(oldest, method->end.load(std::memory_order_relaxed));
    if (goes(*method)) return true;
    if (!in_use.contains(method.get())) method->release_code();
    return false;
  });

  for (auto &module : state.modules)
    for (auto &[name, place] : module->contents_->bindings)
      std::erase_if(place->versions, [&](const Binding::Version &version) {
        if (version.end == EndOfTime || version.end > oldest_needed) return false;
        oldest = std::max(oldest, version.end);
        return true;
      });
  for (auto &[name, edges] : state.binding_edges)
    std::erase_if(edges, [](const BindingBackedge &edge) { return edge.record->is_expired(); });

  state.retired.store(0, std::memory_order_relaxed);
  state.oldest.store(oldest, std::memory_order_release);
}

} // namespace kiln
