// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes content digests of types and values. A digest covers the names in a type, and the definitions of
// these names.
//
// For each large type, the digest without definitions is cached, so that a type built level by level is not
// traversed again at each level. Then each definition is added once.
//
// The digest of a whole type, definitions included, is cached too: all keys of a session digest the same few
// types.
#include "context_state.h"
#include "types.h"

#include <support/strong_digest.h>

#include <unordered_set>

namespace kiln {

namespace {

using Names = std::vector<const TypeName *>;

struct Digest {
  WrittenTypes &cache;
  Fingerprinter &out;
  Names *names = nullptr;                      // null: add definitions; else: collect names instead
  std::unordered_set<const TypeName *> seen{}; // names already collected or added: ends recursion
  std::vector<const TypeVar *> bound{};
  bool complete = true; // no definition was added that is still being made

  /// Adds the digest of a type with its definitions, which does not depend on what was added before.
  void whole(TypeRef t) {
    {
      std::lock_guard lock(cache.mutex);
      // A digest from before SHA-256 was enabled would make all keys weak that contain it.
      if (auto found = cache.whole.find(t);
          found != cache.whole.end() && (found->second.is_strong() || !strong_digests_enabled())) {
        out.add(found->second);
        return;
      }
    }
    Fingerprinter digest;
    Digest made{cache, digest};
    made.type(t);
    const Fingerprint finished = digest.finish();
    out.add(finished);
    complete = complete && made.complete;
    if (!made.complete) return;
    std::lock_guard lock(cache.mutex);
    cache.whole[t] = finished;
  }

  void type(TypeRef t) {
    constexpr uint32_t large = 8; // hashing a smaller type is faster than a look-up
    if (t->size() < large || t->has_free_vars() || t->is<ConstType>()) return write(t);
    const WrittenTypes::Written &written = remembered(t);
    out.add(written.digest);
    for (const TypeName *name : *written.names) definition(*name);
  }

  const WrittenTypes::Written &remembered(TypeRef t) {
    {
      std::lock_guard lock(cache.mutex);
      if (auto found = cache.types.find(t); found != cache.types.end()) return found->second;
    }
    Fingerprinter digest;
    auto used = std::make_shared<Names>();
    Digest{cache, digest, used.get()}.write(t);
    WrittenTypes::Written written{digest.finish(), std::move(used)};
    // Types nested in one struct use the same names: share the list of names.
    if (const auto *data = t->as<DataType>())
      for (TypeRef p : data->params()) {
        std::lock_guard lock(cache.mutex);
        auto inner = cache.types.find(p);
        if (inner == cache.types.end() || *inner->second.names != *written.names) continue;
        written.names = inner->second.names;
        break;
      }
    std::lock_guard lock(cache.mutex);
    return cache.types.try_emplace(t, std::move(written)).first->second;
  }

  void write(TypeRef t) {
    out.add(uint8_t(t->kind()));
    switch (t->kind()) {
    case TypeKind::Bottom: break;
    case TypeKind::Data: {
      const auto *data = t->as<DataType>();
      out.add(data->name().module).add(data->name().name.text());
      definition(data->name());
      out.add(uint64_t(data->params().size()));
      for (TypeRef p : data->params()) type(p);
      break;
    }
    case TypeKind::Union: {
      auto members = t->as<UnionType>()->members();
      out.add(uint64_t(members.size()));
      for (TypeRef m : members) type(m);
      break;
    }
    case TypeKind::UnionAll: {
      const auto *all = t->as<UnionAllType>();
      type(all->var()->lower());
      type(all->var()->upper());
      bound.push_back(all->var());
      type(all->body());
      bound.pop_back();
      break;
    }
    case TypeKind::Var: {
      // A bound variable counts by its depth. A free variable, which occurs in definitions, counts by its
      // name.
      for (size_t i = bound.size(); i-- > 0;)
        if (bound[i] == t) {
          out.add(uint64_t(i));
          return;
        }
      out.add(t->as<TypeVar>()->name().text());
      break;
    }
    case TypeKind::Vararg: {
      const auto *v = t->as<VarargType>();
      type(v->element());
      out.add(uint8_t(v->count() != nullptr));
      if (v->count()) type(v->count());
      break;
    }
    case TypeKind::Const: value(t->as<ConstType>()->value()); break;
    }
  }

  void definition(const TypeName &name) {
    if (!seen.insert(&name).second) return;
    if (names) {
      names->push_back(&name);
      return;
    }
    complete = complete && name.fields_defined;
    out.add(name.module)
        .add(name.name.text())
        .add(name.primitive_bits)
        .add(uint8_t(name.is_mutable))
        .add(uint8_t(name.is_abstract))
        .add(uint64_t(name.field_types.size()));
    for (size_t i = 0; i < name.field_types.size(); i++) {
      out.add(name.field_names[i].text());
      type(name.field_types[i]);
    }
    if (name.super && !name.is_tuple) type(name.super);
  }

  /// Adds the type of a value, or a type that is a value. Within a definition, `seen` must end the recursion.
  void part(TypeRef t) {
    if (names || !seen.empty() || t->has_free_vars())
      type(t);
    else
      whole(t);
  }

  void value(const Value &v) {
    out.add(uint8_t(bool(v)));
    if (!v) return;
    part(v.type());
    if (v.is_primitive()) {
      out.add(v.bits()[0]).add(v.bits()[1]);
    } else if (TypeRef t = v.as_type()) {
      part(t);
    } else if (Symbol s = v.as_symbol()) {
      out.add(s.text());
    } else if (const std::string *text = v.as_string()) {
      out.add(*text);
    } else if (const Module *module = v.as_module()) {
      out.add(module->full_name());
    } else if (const auto *fields = v.fields()) {
      out.add(uint64_t(fields->size()));
      for (const Value &field : *fields) value(field);
    } else if (const HostArray *array = v.as_array()) {
      out.add(uint64_t(array->dims.size()));
      for (int64_t d : array->dims) out.add(d);
      out.add(std::string_view(reinterpret_cast<const char *>(array->bytes.data()), array->bytes.size()));
      for (const Value &element : array->values) value(element);
    } else if (const MutableObject *object = v.as_mutable()) {
      for (const Value &field : object->fields) value(field);
    } else if (const ExprObject *expr = v.as_expr()) {
      out.add(expr->head.text()).add(uint64_t(expr->args.size()));
      for (const Value &arg : expr->args) value(arg);
    }
  }
};

} // namespace

void TypeContext::digest(Fingerprinter &into, TypeRef type) {
  if (type)
    Digest{state_->written, into}.whole(type);
  else
    into.add("no type");
}
void TypeContext::digest(Fingerprinter &into, const Value &value) {
  Digest{state_->written, into}.value(value);
}

} // namespace kiln
