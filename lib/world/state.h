// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of a World. Internal to the component. Locks, outermost first: `evaluation` (code run by
// definitions), `lock` (all definitions), a callee's `cache_lock`. User code never runs under `lock` or a
// `cache_lock`.
#pragma once

#include "dispatch.h"
#include "waiting_names.h"
#include "world.h"

#include <deque>
#include <map>
#include <support/releasable_lock.h>
#include <thread>

namespace kiln {

/// Shared by all backedge lists that contain the dependent, so that it is ended once.
struct DependentRecord {
  std::weak_ptr<Dependent> dependent;
  bool ended = false;
  bool is_expired() const { return ended || dependent.expired(); }
};

/// A backedge of a name: what the name referred to when the dependent registered the edge.
struct BindingBackedge {
  const Module *module = nullptr;
  const Binding *binding = nullptr; ///< null: undefined
  WorldAge version = 0;             ///< start of its version
  std::shared_ptr<DependentRecord> record;
};

struct World::State {
  mutable std::shared_mutex lock;
  std::shared_ptr<EvaluationMutex> evaluation = std::make_shared<EvaluationMutex>();

  std::vector<std::unique_ptr<Module>> modules; // in order of creation
  /// Modules by parent and name, and by full name. Each Python function is a module, so that programs have
  /// thousands.
  std::unordered_map<const Module *, std::unordered_map<Symbol, Module *>> modules_by_parent;
  std::map<std::string, Module *, std::less<>> modules_by_full_name;
  Module *find_module(const Module *parent, Symbol name) const {
    auto inner = modules_by_parent.find(parent);
    if (inner == modules_by_parent.end()) return nullptr;
    auto found = inner->second.find(name);
    return found == inner->second.end() ? nullptr : found->second;
  }
  /// Creates a module. `parent` must not have a module of this name.
  Module *new_module(Symbol name, Module *parent) {
    Module *made = modules.emplace_back(std::make_unique<Module>(name, parent)).get();
    made->contents_ = std::make_shared<ModuleContents>();
    modules_by_parent[parent].emplace(name, made);
    modules_by_full_name.emplace(made->full_name(), made);
    return made;
  }
  std::vector<std::unique_ptr<Method>> methods;
  std::atomic<std::thread::id> completing{}; // thread that runs postponed definitions under `evaluation`
  WorldAge completed_since = FirstWorld;     // first world of the postponed definition that runs now
  uint64_t completed_place = 0;              // Method::place of its methods
  uint64_t places = uint64_t(1) << 63;       // the last Method::place outside of Kiln's library
  std::atomic<bool> extends_library{
      false};                      // the program has added methods to functions or types of the library
  bool defines_names = false;      // true: that definition is of a name that waited
  std::atomic<size_t> retired{0};  // methods and values replaced since the last forget()
  std::atomic<WorldAge> oldest{0}; // oldest world whose definitions still exist completely

  WaitingNames waiting;
  CalleeTable callees;
  Callee any_type; ///< only its postponed definitions: those of callees.general_types
  struct Missing {
    std::string module;
    Symbol name; // empty: any name
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
      expansions; // methods made by generators; null: under construction; protected by `evaluation`
  std::unordered_map<InstanceKey, std::unique_ptr<MethodInstance>, InstanceHash> instances;

  std::vector<Value> intrinsic_values;
  std::unordered_map<TypeRef, Intrinsic> intrinsic_of;

  // Binding backedges by name; the names are in order of registration.
  std::unordered_map<Symbol, size_t> binding_index;
  std::vector<std::pair<Symbol, std::vector<BindingBackedge>>> binding_edges;

  /// Result of resolving a name. The name is ambiguous if two used modules export it.
  struct Resolution {
    std::shared_ptr<Binding> binding;
    const Binding::Version *version = nullptr;
    const Module *first = nullptr, *second = nullptr; ///< set if ambiguous
  };
  Resolution resolve(const World &world, const Module &module, Symbol name, WorldAge at) const;

  /// Ends dependents that used `name`, if the name's resolution changed. Empty `name`: any name.
  void bindings_changed(const World &world, Symbol name, WorldAge age);
  /// Ends dependents of calls for which `method` changes the chosen method. Null `callee`: calls of any
  /// callee.
  void method_added(TypeContext &types, const Method &method, Callee *callee, WorldAge age);
  static void end(DependentRecord &record, WorldAge age);

  class Completing;
  std::vector<Callee::Postponed> take_needed(Callee &callee, std::span<const TypeRef> arguments,
                                             bool of_packages);
  /// True while this thread defines a name that nobody has looked up: the definition holds in every world.
  bool defines_unknown_name() const {
    return defines_names && completing.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }

  static ModuleContents &contents(const Module &module);
  /// Sets the World's data in a method, which the method needs for lowering.
  static void adopt(const World &world, Method &method);
};

/// Gives Base's function `ifelse` the method of the intrinsic. Base has only the intrinsic until a program
/// extends the function.
Result<void> define_choice(World &world, TypeRef function);

/// While it lives, this thread's definitions hold from `since` on.
class World::State::Completing {
public:
  Completing(State &state, bool of_names)
      : state_(state), thread_(state.completing.exchange(std::this_thread::get_id())),
        since_(std::exchange(state.completed_since, FirstWorld)),
        place_(std::exchange(state.completed_place, 0)),
        of_names_(std::exchange(state.defines_names, of_names)) {}
  ~Completing() {
    state_.defines_names = of_names_;
    state_.completed_since = since_;
    state_.completed_place = place_;
    state_.completing.store(thread_);
  }
  Completing(const Completing &) = delete;
  void runs(const Callee::Postponed &definition) {
    state_.completed_since = definition.since;
    state_.completed_place = definition.place;
  }

private:
  State &state_;
  std::thread::id thread_;
  WorldAge since_;
  uint64_t place_;
  bool of_names_;
};

} // namespace kiln
