// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method tables and the choice among methods. Internal to the component.
//
// Methods are grouped by what they can be called on: by the TypeName of the function's type (a callable
// struct's, for it; for a constructor, that of the T in Type{T}), and two general lists, for signatures that
// name no one callee: `(::Type{T})(x) where T<:X`, which every call of a type searches, and
// `(f::Function)(x)`, which every call searches.
#pragma once

#include "world.h"

#include <atomic>
#include <functional>

namespace kiln {

struct DependentRecord;

/// A method with what can be seen of its signature at a glance, to pass over it cheaply.
struct MethodEntry {
  const Method *method = nullptr;
  uint32_t fixed = 0; ///< parameters before a Vararg
  bool vararg = false;
  std::vector<TypeRef>
      leaves; ///< of the fixed parameters: the one type that matches, where there is just one
};

/// Look-ups name the overlay tables that they search before the common one: "ptx", or several in their order,
/// "device_override+ptx". This takes the first name off `overlay`.
std::string_view next_table(std::string_view &overlay);
/// Does a look-up that names `overlay` search this table? The common one, whose name is empty, always.
bool searches(Symbol overlay, Symbol table);

/// Methods in the order of definition. A function may have thousands that differ in the type of their first
/// argument: who asks for one type passes over those that take another.
class MethodTable {
public:
  const std::vector<MethodEntry> &entries() const { return entries_; }
  void add(MethodEntry entry);
  template <class Predicate> void erase_if(Predicate predicate) {
    if (std::erase_if(entries_, predicate)) index();
  }
  /// Calls `visit` in the order of definition with all entries, but for those whose first argument has
  /// another type than this one. Null: all entries.
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
  std::unordered_map<TypeRef, std::vector<uint32_t>>
      by_type_;                  ///< places by the one type of the first argument
  std::vector<uint32_t> others_; ///< the places of the other entries
};

/// Methods of one callee: the common table and overlays.
struct MethodGroup {
  MethodTable common;
  std::vector<std::pair<Symbol, MethodTable>> overlays;
  MethodTable added;                                     ///< those of both that are not the library's
  MethodTable &table(Symbol overlay);                    ///< made if there is none
  const MethodTable *find(std::string_view table) const; ///< null: no such methods; "": the common ones
};
/// The type that `MethodTable::visit` may go by; null where a method for another type may match.
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

/// All that is known of calls of one function, struct or type.
struct Callee {
  const TypeName *name = nullptr; ///< null: a type that is no data type (Type{Union{A, B}})
  struct Postponed {
    std::function<Result<void>()> define;
    WorldAge since; ///< the first world that sees what it defines
  };
  std::vector<Postponed> postponed;    ///< World::postpone; under the lock of evaluation
  std::atomic<bool> is_complete{true}; ///< nothing is postponed, or being defined
  MethodGroup methods;
  WorldAge changed = 0; ///< the last definition that calls of it can see
  std::unordered_map<LookupKey, size_t, LookupHash> backedge_index;
  std::vector<CallBackedge> backedges;
  std::shared_mutex cache_lock;
  std::unordered_map<LookupKey, MethodMatch, LookupHash> cache; ///< holds for worlds from `changed` on
};

struct CalleeTable {
  MethodGroup general;       ///< callee: any value
  MethodGroup general_types; ///< callee: any type
  std::unordered_map<const TypeName *, Callee *> by_name;
  std::vector<std::unique_ptr<Callee>> callees; ///< in the order they were made
  std::atomic<ArrayPolicy> array_policy{ArrayPolicy::DeviceView};
  std::shared_mutex lock; ///< of by_name and callees, for look-ups that make a Callee

  /// Found or made; `age` is the newest world, from which on its cache holds if it is made.
  Callee &callee(const TypeName *name, WorldAge age);
};

/// Where a method stands: its callee's name, or one of the general lists.
struct SignatureKey {
  enum class Kind : uint8_t { Named, AnyType, Any } kind = Kind::Any;
  const TypeName *name = nullptr;
};
SignatureKey signature_key(TypeContext &types, TypeRef signature);
/// The name that a call with these arguments is grouped under; null for types that are no data types.
const TypeName *callee_name(TypeContext &types, TypeRef arguments);
/// The argument types of a signature or call (the parameters of its Tuple), where-variables stripped.
std::span<const TypeRef> tuple_elements(TypeContext &types, TypeRef signature);

MethodEntry method_entry(TypeContext &types, const Method &method);
/// False only if the method cannot match these argument types: a look at the leaves.
bool may_match(const MethodEntry &entry, std::span<const TypeRef> arguments);

/// The choice among all methods that `callee` can reach.
MethodMatch choose_method(TypeContext &types, const CalleeTable &table, const Callee &callee,
                          TypeRef arguments, WorldAge world, Symbol overlay);

} // namespace kiln
