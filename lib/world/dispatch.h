// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method tables and method choice. Internal to the component.
//
// Methods are grouped by their callee: by the TypeName of the function's type, of a callable struct, or, for
// a constructor, of the T in Type{T}. Two general lists hold signatures without a single callee:
// `(::Type{T})(x) where T<:X`, searched by calls of types, and `(f::Function)(x)`, searched by all calls.
#pragma once

#include "world.h"

#include <atomic>
#include <functional>

namespace kiln {

struct DependentRecord;

/// A method with data by which a look-up rejects it quickly.
struct MethodEntry {
  const Method *method = nullptr;
  uint32_t fixed = 0; ///< number of parameters before a Vararg
  bool vararg = false;
  /// One per fixed parameter: the only type that matches it; null: several types match.
  std::vector<TypeRef> leaves;
};

/// Splits the first table name off. `overlay` lists the overlay tables that a look-up searches before the
/// common one, in order: "ptx", or "device_override+ptx".
std::string_view next_table(std::string_view &overlay);
/// True if a look-up with the overlay list `overlay` searches this table. The common table, whose name is
/// empty, is always searched.
bool searches(Symbol overlay, Symbol table);

/// Methods in order of definition. A function may have thousands that differ in the type of their first
/// argument: a look-up skips those for other types.
class MethodTable {
public:
  const std::vector<MethodEntry> &entries() const { return entries_; }
  void add(MethodEntry entry);
  template <class Predicate> void erase_if(Predicate predicate) {
    if (std::erase_if(entries_, predicate)) index();
  }
  /// Calls `visit`, in order of definition, for all entries that may accept this type as first argument.
  /// Null: calls `visit` for all entries.
  template <class Visit> void visit(TypeRef first_argument, Visit visit) const {
    auto found = first_argument ? by_type_.find(first_argument) : by_type_.end();
    if (!first_argument) {
      for (const MethodEntry &entry : entries_) visit(entry);
      return;
    }
    static const std::vector<uint32_t> none;
    const std::vector<uint32_t> &same = found == by_type_.end() ? none : found->second;
    auto a = same.begin();
    auto b = others_.begin();
    while (a != same.end() || b != others_.end())
      visit(entries_[b == others_.end() || (a != same.end() && *a < *b) ? *a++ : *b++]);
  }

private:
  void index();
  void index(uint32_t place);
  std::vector<MethodEntry> entries_;
  std::unordered_map<TypeRef, std::vector<uint32_t>> by_type_; ///< indices by first argument type
  std::vector<uint32_t> others_;                               ///< indices of all other entries
};

/// Methods of one callee: those in the common table, and those in overlay tables.
struct MethodGroup {
  MethodTable common;
  std::vector<std::pair<Symbol, MethodTable>> overlays;
  MethodTable added;                                     ///< methods of all tables that are not the library's
  MethodTable &table(Symbol overlay);                    ///< created if missing
  const MethodTable *find(std::string_view table) const; ///< null: no such table; "": the common one
};
/// Type of the first argument for MethodTable::visit. Null: methods for other types may match too.
TypeRef first_argument_type(std::span<const TypeRef> arguments);

struct CallBackedge {
  TypeRef arguments = nullptr;
  Symbol overlay;
  const Method *method = nullptr;
  std::vector<std::shared_ptr<DependentRecord>> records;
};

struct LookupKey {
  TypeRef arguments;
  Symbol overlay;
  bool operator==(const LookupKey &) const = default;
};
struct LookupHash {
  size_t operator()(const LookupKey &key) const {
    return key.arguments->hash() * 31 + std::hash<Symbol>()(key.overlay);
  }
};

/// Methods, cached look-ups and backedges of one callee: a function, struct or type.
struct Callee {
  const TypeName *name = nullptr; ///< null: the callee is no data type (Type{Union{A, B}})
  struct Postponed {
    std::function<Result<void>()> define;
    WorldAge since = FirstWorld; ///< first world that sees the postponed definitions
    uint64_t place = 0;          ///< Method::place of the postponed methods
    bool is_of_package = false;
    std::vector<CallShape> shapes = {}; ///< CompilerWorld::Postponement::shapes
  };
  std::atomic<bool> is_named{false}; ///< true: no library file has this name as a name that waits
  std::vector<Postponed> postponed;  ///< World::postpone; changes under the evaluation lock and State::lock
  uint32_t num_running = 0; ///< calls of CompilerWorld::complete that run definitions; as `postponed`
  std::atomic<bool> is_complete{true}; ///< no definition of this callee runs or is postponed
  MethodGroup methods;
  WorldAge changed = 0; ///< world of the newest definition that affects calls of this callee
  std::unordered_map<LookupKey, size_t, LookupHash> backedge_index;
  std::vector<CallBackedge> backedges;
  std::shared_mutex cache_lock;
  /// Results of look-ups, valid for worlds from `changed` on.
  std::unordered_map<LookupKey, MethodMatch, LookupHash> cache;
};

struct CalleeTable {
  MethodGroup general;       ///< any callee
  MethodGroup general_types; ///< any type as callee
  std::unordered_map<const TypeName *, Callee *> by_name;
  std::vector<std::unique_ptr<Callee>> callees; ///< in order of creation
  std::atomic<ArrayPolicy> array_policy{ArrayPolicy::DeviceView};
  std::shared_mutex lock; ///< protects by_name and callees when a look-up creates a Callee

  /// Finds or creates the callee. `age`: newest world; the cache of a new callee is valid from that world on.
  Callee &callee(const TypeName *name, WorldAge age);
};

/// Group to which a method belongs: its callee's type name, or one of the general lists.
struct SignatureKey {
  enum class Kind : uint8_t { Named, AnyType, Any } kind = Kind::Any;
  const TypeName *name = nullptr;
};
SignatureKey signature_key(TypeContext &types, TypeRef signature);
/// Finds the type name by which a call with these arguments is grouped. Null: the callee is no data type.
const TypeName *callee_name(TypeContext &types, TypeRef arguments);
/// The type inside of all its where-types.
inline TypeRef without_where(TypeRef type) {
  while (const auto *all = type->as<UnionAllType>()) type = all->body();
  return type;
}
/// Argument types of a signature or call: the parameters of its Tuple, inside of where-types.
std::span<const TypeRef> tuple_elements(TypeContext &types, TypeRef signature);

MethodEntry method_entry(TypeContext &types, const Method &method);
/// True if both signatures accept the same calls, so that the later method replaces the other.
bool equal_signatures(TypeContext &types, const MethodEntry &a, const MethodEntry &b);
/// Returns false only if the method cannot match these argument types. Compares only MethodEntry::leaves.
bool may_match(const MethodEntry &entry, std::span<const TypeRef> arguments);

/// Chooses the method among all methods that a call of `callee` can reach.
MethodMatch choose_method(TypeContext &types, const CalleeTable &table, const Callee &callee,
                          TypeRef arguments, WorldAge world, Symbol overlay);

} // namespace kiln
