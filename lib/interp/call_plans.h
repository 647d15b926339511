// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Caches of the interpreter, by the types of calls and by names. A hit takes no lock of the World.
#pragma once

#include <kiln/extension/language/interpreter.h>
#include <world/world.h>

#include <array>
#include <span>

namespace kiln {

/// Types of a call's function and arguments, the function's type first.
struct CallTypes {
  static constexpr size_t max_types = 8;
  std::array<TypeRef, max_types> types{};
  size_t count = 0;
  bool operator==(const CallTypes &other) const {
    if (count != other.count) return false;
    for (size_t i = 0; i < count; ++i)
      if (types[i] != other.types[i]) return false;
    return true;
  }
  size_t hash() const {
    size_t hash = count;
    for (size_t i = 0; i < count; ++i)
      hash = (hash ^ (reinterpret_cast<uintptr_t>(types[i]) >> 4)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
  }
};

/// A method whose code only calls one intrinsic on arguments and constants. The call needs no activation.
struct ForwardedCall {
  struct Argument {
    size_t index = 0; ///< in the call; 0: `constant`
    Value constant;
  };
  Intrinsic intrinsic{};
  std::vector<Argument> arguments;
  bool is_unchanged = false; ///< the arguments are those of the call
};

/// Facts about the calls of one list of types, for one world age.
struct CallPlan {
  CallTypes types;
  WorldAge world = 0;
  std::optional<Intrinsic> intrinsic;
  /// Host function or constructor, asked before `match`. Null: none.
  const Interpreter::HostFunction *host = nullptr, *constructor = nullptr;
  bool is_matched = false; ///< `match` was looked up
  MethodMatch match;
  bool is_examined = false; ///< `forwarded` was determined
  std::optional<ForwardedCall> forwarded;
  Interpreter::CompiledCalls::Treatment treatment = Interpreter::CompiledCalls::Treatment::Ask;
  uint64_t asked = 0;            ///< number of calls treated as Ask
  uint64_t steps = 0, calls = 0; ///< counted since the last report
};

/// Plans by types, in sets of two. Used only by the interpreting thread.
class CallPlans {
public:
  /// Null: there is no plan for this world age.
  std::shared_ptr<CallPlan> find(const CallTypes &types, WorldAge world) const {
    if (plans_.empty()) return nullptr;
    const size_t at = types.hash() % size;
    for (const std::shared_ptr<CallPlan> *plan : {&plans_[at], &plans_[at ^ 1]})
      if (*plan && (*plan)->world == world && (*plan)->types == types) return *plan;
    return nullptr;
  }
  void keep(std::shared_ptr<CallPlan> plan) {
    plans_.resize(size); // a session that interprets nothing needs no memory for plans
    const size_t at = plan->types.hash() % size;
    plans_[at ^ 1] = std::move(plans_[at]);
    plans_[at] = std::move(plan);
  }
  void clear() { plans_.clear(); }

private:
  static constexpr size_t size = 8'192;
  std::vector<std::shared_ptr<CallPlan>> plans_; ///< empty until the first one
};

/// Values of constant names. Used only by the interpreting thread.
class ConstantNames {
public:
  /// Null: the name may get another value without a new world age.
  const Value *find(const CompilerWorld &world, const GlobalName &name) {
    entries_.resize(size);
    const size_t hash = std::hash<const void *>()(name.module) * 31 + std::hash<Symbol>()(name.name);
    Entry &entry = entries_[(hash * 0x9e3779b97f4a7c15u >> 32) % size];
    const WorldAge now = world.age();
    if (entry.world != now || entry.name != name) {
      entry = {name, now, world.constant(*name.module, name.name, now).value_or(Value())};
    }
    return entry.value ? &entry.value : nullptr;
  }

private:
  static constexpr size_t size = 2'048;
  struct Entry {
    GlobalName name;
    WorldAge world = 0;
    Value value;
  };
  std::vector<Entry> entries_; ///< empty until the first look-up
};

/// Types of the values that are types. Used only by the interpreting thread.
class TypesOfTypes {
public:
  TypeRef find(TypeContext &types, const Value &value) {
    TypeRef type = value.as_type();
    if (!type) return value.type();
    entries_.resize(size);
    auto &[of, found] = entries_[(reinterpret_cast<uintptr_t>(type) * 0x9e3779b97f4a7c15u >> 40) % size];
    if (of != type) {
      found = types.type_of_type(type);
      of = type;
    }
    return found;
  }

private:
  static constexpr size_t size = 1'024;
  std::vector<std::pair<TypeRef, TypeRef>> entries_; ///< empty until the first look-up
};

/// Results of type application and types of tuples. Used only by the interpreting thread.
class MadeTypes {
public:
  /// Types and numbers from which a type is made. `kind` tells tuples from applied types.
  struct Key {
    static constexpr size_t max_parts = 6;
    enum class Kind : uint8_t { Applied, Tuple } kind{};
    uint32_t types = 0; ///< a bit for each part that is a type, not a number
    size_t count = 0;
    std::array<std::pair<TypeRef, PrimitiveBits>, max_parts> parts{};
    bool operator==(const Key &) const = default;
  };
  static std::optional<Key> applied(std::span<const Value> args) {
    if (args.size() > Key::max_parts) return std::nullopt;
    Key key{.kind = Key::Kind::Applied};
    for (const Value &arg : args) {
      if (!arg.as_type() && !arg.is_primitive()) return std::nullopt;
      if (arg.as_type()) key.types |= 1u << key.count;
      key.parts[key.count++] = {arg.as_type() ? arg.as_type() : arg.type(), arg.bits()};
    }
    return key;
  }
  static std::optional<Key> tuple(std::span<const Value> elements) {
    if (elements.size() > Key::max_parts) return std::nullopt;
    Key key{.kind = Key::Kind::Tuple};
    for (const Value &element : elements) key.parts[key.count++] = {element.type(), {}};
    return key;
  }
  /// The entry of the key; its type is null if it is new.
  TypeRef &operator[](const Key &key) {
    entries_.resize(size);
    size_t hash = size_t(key.kind) + key.count;
    for (size_t i = 0; i < key.count; ++i)
      hash = (hash ^ (reinterpret_cast<uintptr_t>(key.parts[i].first) >> 4) ^ key.parts[i].second[0]) *
             0x9e3779b97f4a7c15u;
    Entry &entry = entries_[(hash >> 40) % size];
    if (!(entry.key == key)) entry = {key, nullptr};
    return entry.type;
  }

private:
  static constexpr size_t size = 1'024;
  struct Entry {
    Key key;
    TypeRef type = nullptr;
  };
  std::vector<Entry> entries_; ///< empty until the first look-up
};

} // namespace kiln
