// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evicts code instances from the table. Instances refer to each other and to methods by plain pointers, for
// speed. Nothing is therefore freed while a thread uses the table. A sweep marks everything reachable from
// the most recently used entries, and drops the rest.
#include "inference.h"

#include <kiln/extension/language/internal/stage_timer.h>

#include <algorithm>
#include <unordered_set>

namespace kiln {

namespace {
// A sweep starts when this many replaced methods and values could be freed.
constexpr size_t max_retired = 256;

size_t bytes_of(const std::vector<Lattice> &values) {
  size_t bytes = values.capacity() * sizeof(Lattice);
  for (const Lattice &value : values)
    if (value.fields) bytes += 64 + bytes_of(*value.fields);
  return bytes;
}
} // namespace

size_t CodeInstance::memory() const {
  // The object itself, and its entries in the table and in the lists of callers and of the world.
  size_t bytes = sizeof(CodeInstance) + 256 + 48 * (edges.size() + callees.size());
  bytes += bytes_of(arguments) + bytes_of(types) + bytes_of(globals);
  bytes += calls.capacity() * sizeof(CallInfo) + edges.capacity() * sizeof(Edge);
  for (const CallInfo &call : calls)
    bytes += call.args.capacity() * sizeof(ArgRef) + call.cases.capacity() * sizeof(CallCase) +
             16 * (call.args.empty() ? 0 : 1);
  for (const InferenceFault &fault : faults) {
    bytes += sizeof(fault) + fault.message.capacity() + fault.hint.capacity();
    for (const std::string &note : fault.notes) bytes += sizeof(std::string) + note.capacity();
  }
  // The method owns the SSA form. Counting it for each instance overestimates, which is safe.
  for (const Stmt &stmt : ssa->stmts)
    bytes += sizeof(Stmt) + stmt.args.heap_bytes() + stmt.phi_blocks.capacity() * sizeof(uint32_t);
  return bytes + ssa->blocks.capacity() * sizeof(SsaBlock);
}

void CodeInstance::forget_callers() const {
  std::lock_guard lock(callers_mutex_);
  if (std::erase_if(callers_, [](const auto &caller) { return caller.expired(); })) callers_.shrink_to_fit();
}

CodeInstanceTable::Use CodeInstanceTable::use() {
  State &s = *state_;
  std::thread::id self = std::this_thread::get_id();
  std::unique_lock lock(s.users_mutex);
  for (State::User &user : s.users)
    if (user.thread == self) {
      user.count++;
      return Use(this);
    }
  if (s.is_in_use() && s.must_sweep()) {
    StageScope scope(Timer::of_thread(), Stage::WaitForInference);
    s.unused.wait(lock, [&] { return !s.is_in_use() || !s.must_sweep(); });
  }
  if (s.users.empty() && s.wants_sweep()) s.sweep();
  s.users.push_back({self, 1});
  return Use(this);
}

void CodeInstanceTable::release() {
  State &s = *state_;
  std::lock_guard lock(s.users_mutex);
  for (size_t i = 0; i < s.users.size(); i++)
    if (s.users[i].thread == std::this_thread::get_id() && --s.users[i].count == 0) {
      s.users.erase(s.users.begin() + ptrdiff_t(i));
      if (!s.is_in_use()) s.unused.notify_all();
      return;
    }
}

void CodeInstanceTable::pause_uses() { state_->set_paused(true); }
void CodeInstanceTable::resume_uses() { state_->set_paused(false); }

void CodeInstanceTable::State::set_paused(bool paused) {
  std::lock_guard lock(users_mutex);
  for (User &user : users)
    if (user.thread == std::this_thread::get_id()) {
      user.is_paused = paused;
      if (!is_in_use()) unused.notify_all();
      return;
    }
}

bool CodeInstanceTable::State::is_in_use() const {
  return std::ranges::any_of(users, [](const User &user) { return !user.is_paused; });
}

void CodeInstanceTable::set_oldest_needed(std::function<WorldAge()> oldest) {
  state_->oldest_needed = std::move(oldest);
}

bool CodeInstanceTable::State::wants_sweep() const {
  return counters.bytes.load(std::memory_order_relaxed) > budget || world.retired() > max_retired;
}

bool CodeInstanceTable::State::must_sweep() const {
  return counters.bytes.load(std::memory_order_relaxed) > budget + budget / 4 ||
         world.retired() > 4 * max_retired;
}

void CodeInstanceTable::State::sweep() {
  struct Node {
    bool dead = false, marked = false;
    size_t bytes = 0;
  };
  std::lock_guard hold_tables(tables_mutex);
  std::unordered_map<const CodeInstance *, Node> nodes; // never iterated
  std::vector<const CodeInstance *> all;
  for (auto &table : tables)
    for (auto &[key, instances] : table->instances)
      for (auto &code : instances) {
        all.push_back(code.get());
        bool ended = code->end.load(std::memory_order_acquire) != EndOfTime ||
                     code->instance->method->end.load(std::memory_order_acquire) != EndOfTime;
        nodes.emplace(code.get(), Node{ended, false, code->memory()});
      }
  // A dead callee makes its callers dead, too.
  for (bool changed = true; changed;) {
    changed = false;
    for (const CodeInstance *code : all) {
      Node &node = nodes.at(code);
      if (node.dead) continue;
      for (const CodeInstance *callee : code->callees)
        if (auto found = nodes.find(callee); found == nodes.end() || found->second.dead)
          node.dead = changed = true;
    }
  }
  size_t live = 0;
  std::vector<const CodeInstance *> entries;
  for (const CodeInstance *code : all) {
    const Node &node = nodes.at(code);
    if (node.dead) continue;
    live += node.bytes;
    if (code->used.load(std::memory_order_relaxed)) entries.push_back(code);
  }
  size_t kept = 0;
  if (live > budget - budget / 4) {
    std::sort(entries.begin(), entries.end(), [](const CodeInstance *a, const CodeInstance *b) {
      return a->used.load(std::memory_order_relaxed) > b->used.load(std::memory_order_relaxed);
    });
    for (const CodeInstance *entry : entries) {
      if (nodes.at(entry).marked) continue;
      std::vector<const CodeInstance *> reached{entry};
      size_t added = 0;
      nodes.at(entry).marked = true;
      for (size_t i = 0; i < reached.size(); i++) {
        added += nodes.at(reached[i]).bytes;
        for (const CodeInstance *callee : reached[i]->callees)
          if (!std::exchange(nodes.at(callee).marked, true)) reached.push_back(callee);
      }
      kept += added;
      if (kept <= budget / 2) continue;
      kept -= added; // over the budget: drop this entry and all older ones
      for (const CodeInstance *code : reached) nodes.at(code).marked = false;
      break;
    }
  } else {
    for (auto &[code, node] : nodes) node.marked = !node.dead;
    kept = live;
  }

  std::unordered_set<const Method *> in_use;
  size_t dropped = 0;
  for (auto &table : tables)
    for (auto it = table->instances.begin(); it != table->instances.end();) {
      auto &[key, instances] = *it;
      dropped += std::erase_if(instances, [&](const auto &code) { return !nodes.at(code.get()).marked; });
      for (const auto &code : instances) in_use.insert(code->instance->method);
      it = instances.empty() ? table->instances.erase(it) : std::next(it);
    }
  for (auto &table : tables)
    for (auto &[key, instances] : table->instances)
      for (auto &code : instances) code->forget_callers();
  counters.bytes.store(kept, std::memory_order_relaxed);
  counters.dropped.fetch_add(dropped, std::memory_order_relaxed);
  world.forget(in_use, oldest_needed ? oldest_needed() : EndOfTime);
}

// ---- invalidation by a new definition

void CodeInstance::add_caller(const std::shared_ptr<CodeInstance> &caller) const {
  {
    std::lock_guard lock(callers_mutex_);
    callers_.push_back(caller);
  }
  if (WorldAge ended = end.load(std::memory_order_acquire); ended != EndOfTime) caller->invalidate(ended);
}

void CodeInstance::invalidate(WorldAge world) {
  WorldAge current = end.load(std::memory_order_acquire);
  while (world < current && !end.compare_exchange_weak(current, world));
  std::vector<std::weak_ptr<CodeInstance>> callers;
  {
    std::lock_guard lock(callers_mutex_);
    callers.swap(callers_);
  }
  for (const auto &weak : callers)
    if (auto caller = weak.lock()) caller->invalidate(world);
}

} // namespace kiln
