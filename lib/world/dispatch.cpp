// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dispatch.h"

namespace kiln {

// ---- groups of methods

std::span<const TypeRef> tuple_elements(TypeContext &types, TypeRef signature) {
  while (const auto *all = signature->as<UnionAllType>()) signature = all->body();
  const auto *tuple = signature->as<DataType>();
  return tuple && tuple->is_tuple() ? tuple->params() : std::span<const TypeRef>();
}

static TypeRef strip_where(TypeRef type) {
  while (const auto *all = type->as<UnionAllType>()) type = all->body();
  return type;
}

/// T of Type{T}; else null.
static TypeRef parameter_of_type(const DataType &type) {
  return type.name().is_type && type.params().size() == 1 ? type.params()[0] : nullptr;
}

SignatureKey signature_key(TypeContext &types, TypeRef signature) {
  TypeRef callee = strip_where(tuple_elements(types, signature)[0]);
  for (int depth = 0; depth < 100; ++depth) { // (f::F)(x) where F<:Foo
    const auto *var = callee->as<TypeVar>();
    if (!var) break;
    callee = strip_where(var->upper());
  }
  const auto *data = callee->as<DataType>();
  if (!data) return {};
  if (TypeRef parameter = parameter_of_type(*data)) {
    const auto *constructed = strip_where(parameter)->as<DataType>();
    if (constructed) return {SignatureKey::Kind::Named, &constructed->name()};
    return {SignatureKey::Kind::AnyType, nullptr};
  }
  const TypeContext::Builtins &b = types.builtins();
  if (data == b.DataType || data == b.UnionAll || data == b.Union || data == b.TypeofBottom)
    return {SignatureKey::Kind::AnyType, nullptr};
  if (data->is_abstract()) return {};
  return {SignatureKey::Kind::Named, &data->name()};
}

const TypeName *callee_name(TypeContext &types, TypeRef arguments) {
  const auto *data = strip_where(tuple_elements(types, arguments)[0])->as<DataType>();
  if (!data) return nullptr;
  if (TypeRef parameter = parameter_of_type(*data)) {
    const auto *constructed = strip_where(parameter)->as<DataType>();
    return constructed ? &constructed->name() : nullptr;
  }
  return &data->name();
}

/// The only type that matches the entry's first argument; null: several types match.
static TypeRef type_of_first(const MethodEntry &entry) {
  return entry.leaves.size() > 1 ? entry.leaves[1] : nullptr;
}

void MethodTable::add(MethodEntry entry) {
  entries_.push_back(std::move(entry));
  index(uint32_t(entries_.size() - 1));
}

void MethodTable::index() {
  by_type_.clear();
  others_.clear();
  for (uint32_t place = 0; place < entries_.size(); ++place) index(place);
}

void MethodTable::index(uint32_t place) {
  if (TypeRef type = type_of_first(entries_[place]))
    by_type_[type].push_back(place);
  else
    others_.push_back(place);
}

TypeRef first_argument_type(std::span<const TypeRef> arguments) {
  const bool is_one_type =
      arguments.size() > 1 && arguments[1]->is<DataType>() && !arguments[1]->has_free_vars();
  return is_one_type ? arguments[1] : nullptr;
}

MethodTable &MethodGroup::table(Symbol overlay) {
  if (!overlay) return common;
  for (auto &[name, entries] : overlays)
    if (name == overlay) return entries;
  return overlays.emplace_back(overlay, MethodTable()).second;
}

const MethodTable *MethodGroup::find(std::string_view table) const {
  if (table.empty()) return &common;
  for (auto &[name, entries] : overlays)
    if (name.text() == table) return &entries;
  return nullptr;
}

std::string_view next_table(std::string_view &overlay) {
  const size_t end = std::min(overlay.find('+'), overlay.size());
  std::string_view table = overlay.substr(0, end);
  overlay.remove_prefix(std::min(end + 1, overlay.size()));
  return table;
}

bool searches(Symbol overlay, Symbol table) {
  if (!table || overlay == table) return true;
  if (!overlay) return false;
  for (std::string_view rest = overlay.text(); !rest.empty();)
    if (next_table(rest) == table.text()) return true;
  return false;
}

Callee &CalleeTable::callee(const TypeName *name, WorldAge age) {
  {
    std::shared_lock hold(lock);
    if (auto found = by_name.find(name); found != by_name.end()) return *found->second;
  }
  std::scoped_lock hold(lock);
  Callee *&found = by_name[name];
  if (!found) {
    callees.push_back(std::make_unique<Callee>());
    found = callees.back().get();
    found->name = name;
    found->changed = age;
  }
  return *found;
}

// ---- choice

/// True for types built from data types and constants only. Such types are equal only if their pointers are
/// equal.
static bool is_plain(TypeRef type) {
  if (type->is<ConstType>()) return true;
  const auto *data = type->as<DataType>();
  return data && std::all_of(data->params().begin(), data->params().end(), is_plain);
}

MethodEntry method_entry(TypeContext &types, const Method &method) {
  MethodEntry entry{.method = &method};
  std::span<const TypeRef> params = tuple_elements(types, method.signature);
  entry.vararg = !params.empty() && params.back()->is<VarargType>();
  entry.fixed = uint32_t(params.size() - entry.vararg);
  const TypeContext::Builtins &b = types.builtins();
  for (uint32_t i = 0; i < entry.fixed; ++i) {
    const auto *data = params[i]->as<DataType>();
    // A leaf matches exactly one type. Exclude tuples, which are covariant, and types of which type values
    // are instances.
    const bool leaf = data && is_plain(data) && !data->is_tuple() && !data->is_named_tuple() &&
                      !data->name().is_type && !data->is_abstract() && data != b.DataType &&
                      data != b.UnionAll && data != b.Union && data != b.TypeofBottom;
    entry.leaves.push_back(leaf ? data : nullptr);
  }
  return entry;
}

bool may_match(const MethodEntry &entry, std::span<const TypeRef> arguments) {
  if (arguments.size() < entry.fixed || (arguments.size() > entry.fixed && !entry.vararg)) return false;
  for (uint32_t i = 0; i < entry.fixed; ++i)
    if (entry.leaves[i] && entry.leaves[i] != arguments[i] && arguments[i]->is<DataType>() &&
        !arguments[i]->has_free_vars())
      return false;
  return true;
}

namespace {

/// True if a formal type accepts host arrays as such, because it names Array or accepts any value. Methods
/// for AbstractArray or DenseArray get a CuDeviceArray in place of the host array, as device code expects.
bool takes_host_arrays(const TypeContext::Builtins &b, TypeRef formal) {
  for (;;) {
    if (const auto *var = formal->as<TypeVar>())
      formal = var->upper();
    else if (const auto *all = formal->as<UnionAllType>())
      formal = all->body();
    else
      break;
  }
  if (const auto *any_of = formal->as<UnionType>())
    return std::any_of(any_of->members().begin(), any_of->members().end(),
                       [&](TypeRef m) { return takes_host_arrays(b, m); });
  const auto *data = formal->as<DataType>();
  return data && (data == b.Any || &data->name() == b.ArrayName);
}

struct Candidate {
  const Method *method;
  std::vector<TypeRef> static_params;
};

class Chooser {
public:
  Chooser(TypeContext &types, const CalleeTable &table, const Callee &callee, TypeRef arguments,
          WorldAge world)
      : types_(types), table_(table), callee_(callee), arguments_(arguments), world_(world),
        elements_(tuple_elements(types, arguments)) {
    const auto *first = strip_where(elements_[0])->as<DataType>();
    calls_type_ = first && first->name().is_type;
    has_host_arrays_ =
        std::any_of(elements_.begin(), elements_.end(), [&](TypeRef e) { return is_host_array(e); });
  }

  /// Chooses among the methods of one table. An empty name means the common table.
  MethodMatch choose(std::string_view table) {
    std::vector<Candidate> found;
    collect(callee_.methods, table, found);
    if (calls_type_) collect(table_.general_types, table, found);
    collect(table_.general, table, found);
    // Keep the most specific methods.
    std::vector<size_t> best;
    for (size_t i = 0; i < found.size(); ++i) {
      bool beaten = false;
      for (size_t j = 0; j < found.size() && !beaten; ++j)
        beaten = j != i && is_more_specific(types_, found[j].method->signature, found[i].method->signature);
      if (!beaten) best.push_back(i);
    }
    // The library divides its methods in other ways than Julia's Base does. A method of a program or package
    // therefore precedes those of the library that are ambiguous with it.
    if (best.size() > 1) {
      auto is_own = [&](size_t i) { return !found[i].method->is_library; };
      if (std::ranges::count_if(best, is_own) == 1) best = {*std::ranges::find_if(best, is_own)};
    }
    MethodMatch match;
    match.from_overlay = !table.empty() && !best.empty();
    if (best.size() == 1) {
      match.method = found[best[0]].method;
      match.static_params = std::move(found[best[0]].static_params);
    } else {
      for (size_t i : best) match.ambiguous.push_back(found[i].method);
    }
    return match;
  }

private:
  bool is_host_array(TypeRef type) const {
    const auto *data = type->as<DataType>();
    return data && &data->name() == types_.builtins().ArrayName;
  }
  bool takes_arguments(const Method &method) const {
    if (!has_host_arrays_ || table_.array_policy.load(std::memory_order_relaxed) == ArrayPolicy::HostArray)
      return true;
    if (method.hints.aggressive_constprop)
      return true; // a package's method, which expects arrays as in Julia
    std::span<const TypeRef> formals = tuple_elements(types_, method.signature);
    for (size_t i = 0; i < elements_.size(); ++i) {
      TypeRef formal = formals[std::min(i, formals.size() - 1)];
      if (const auto *rest = formal->as<VarargType>()) formal = rest->element();
      if (is_host_array(elements_[i]) && !takes_host_arrays(types_.builtins(), formal)) return false;
    }
    return true;
  }
  void collect(const MethodGroup &group, std::string_view table, std::vector<Candidate> &found) {
    const MethodTable *methods = group.find(table);
    if (!methods) return;
    methods->visit(first_argument_type(elements_), [&](const MethodEntry &entry) {
      if (world_ < entry.method->begin || world_ >= entry.method->end.load(std::memory_order_relaxed) ||
          !may_match(entry, elements_) || !takes_arguments(*entry.method))
        return;
      if (auto params = match_signature(types_, arguments_, entry.method->signature))
        found.push_back({entry.method, std::move(*params)});
    });
  }

  TypeContext &types_;
  const CalleeTable &table_;
  const Callee &callee_;
  TypeRef arguments_;
  WorldAge world_;
  std::span<const TypeRef> elements_;
  bool calls_type_ = false;
  bool has_host_arrays_ = false;
};

} // namespace

MethodMatch choose_method(TypeContext &types, const CalleeTable &table, const Callee &callee,
                          TypeRef arguments, WorldAge world, Symbol overlay) {
  Chooser chooser(types, table, callee, arguments, world);
  for (std::string_view rest = overlay ? overlay.text() : std::string_view(); !rest.empty();) {
    MethodMatch match = chooser.choose(next_table(rest));
    if (match.method || !match.ambiguous.empty()) return match;
  }
  return chooser.choose({});
}

} // namespace kiln
