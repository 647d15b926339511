// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a World holds. Internal to the component. Locks, outermost first: `evaluation` (code that definitions
// run), `lock` (all definitions), a callee's `cache_lock`. User code never runs under the last two.
#pragma once

#include "dispatch.h"
#include "world.h"

#include <deque>
#include <map>
#include <support/releasable_lock.h>
#include <thread>

namespace kiln {

/// A dependent in the backedge lists: what several lists point to, so that it is ended once.
struct DependentRecord {
  std::weak_ptr<Dependent> dependent;
  bool ended = false;
  bool is_gone() const { return ended || dependent.expired(); }
};

/// A Binding edge: what a name resolved to when the edge was registered.
struct BindingBackedge {
  const Module *module = nullptr;
  const Binding *binding = nullptr; ///< null: undefined
  WorldAge version = 0;             ///< the begin of its version
  std::shared_ptr<DependentRecord> record;
};

struct World::State {
  mutable std::shared_mutex lock;
  std::shared_ptr<EvaluationMutex> evaluation = std::make_shared<EvaluationMutex>();

  std::vector<std::unique_ptr<Module>> modules; // in the order they were made
  /// The same by parent and name, and by full name. Every Python function is a module: programs have
  /// thousands.
  std::unordered_map<const Module *, std::unordered_map<Symbol, Module *>> modules_by_parent;
  std::map<std::string, Module *, std::less<>> modules_by_full_name;
  Module *find_module(const Module *parent, Symbol name) const {
    auto inner = modules_by_parent.find(parent);
    if (inner == modules_by_parent.end()) return nullptr;
    auto found = inner->second.find(name);
    return found == inner->second.end() ? nullptr : found->second;
  }
  /// There is none of this name in `parent` yet.
  Module *new_module(Symbol name, Module *parent) {
    Module *made = modules.emplace_back(std::make_unique<Module>(name, parent)).get();
    made->contents_ = std::make_shared<ModuleContents>();
    modules_by_parent[parent].emplace(name, made);
    modules_by_full_name.emplace(made->full_name(), made);
    return made;
  }
  std::vector<std::unique_ptr<Method>> methods;
  std::atomic<std::thread::id> completing{}; // the thread that runs postponed definitions, under `evaluation`
  WorldAge completed_since = FirstWorld;     // from which world on they hold; that thread's
  std::atomic<size_t> retired{0};            // methods and values that were replaced, and are still here
  std::atomic<WorldAge> oldest{0};           // the first world from which on nothing was forgotten

  CalleeTable callees;
  struct Missing {
    std::string module;
    Symbol name; // empty: any
    std::string why;
  };
  std::vector<Missing> missing; // see note_missing

  struct InstanceKey {
    const Method *method;
    TypeRef arguments;
    bool operator==(const InstanceKey &) const = default;
  };
  struct InstanceHash {
    size_t operator()(const InstanceKey &key) const {
      return std::hash<const void *>()(key.method) * 31 + key.arguments->hash();
    }
  };
  std::mutex instance_lock;
  std::unordered_map<InstanceKey, std::unique_ptr<Method>, InstanceHash>
      expansions; // null: being made; under `evaluation`
  std::unordered_map<InstanceKey, std::unique_ptr<MethodInstance>, InstanceHash> instances;

  std::vector<Value> intrinsic_values;
  std::unordered_map<TypeRef, Intrinsic> intrinsic_of;

  // Binding edges by name, names in the order they came.
  std::unordered_map<Symbol, size_t> binding_index;
  std::vector<std::pair<Symbol, std::vector<BindingBackedge>>> binding_edges;

  /// How a name resolves; two used modules that export it make it ambiguous.
  struct Resolution {
    std::shared_ptr<Binding> binding;
    const Binding::Version *version = nullptr;
    const Module *first = nullptr, *second = nullptr; ///< set if ambiguous
  };
  Resolution resolve(const World &world, const Module &module, Symbol name, WorldAge at) const;

  /// Ends the worlds of what relied on one of these names resolving as it did. `name` empty: any name.
  void bindings_changed(const World &world, Symbol name, WorldAge age);
  /// Ends the worlds of what relied on a choice that `method` changes. `callee` null: any callee.
  void method_added(TypeContext &types, const Method &method, Callee *callee, WorldAge age);
  static void end(DependentRecord &record, WorldAge age);

  static ModuleContents &contents(const Module &module);
  /// What every method needs of its World to be lowered.
  static void adopt(const World &world, Method &method);
};

} // namespace kiln
