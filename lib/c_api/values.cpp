// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions that make and read types and values of a session's language.
#include "language.h"

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/layout.h>

using namespace kiln;
using namespace kiln::c;

namespace kiln::c {

[[gnu::tls_model("initial-exec")]] constinit thread_local const SessionObject *language_of_thread = nullptr;

Error called_by_language() {
  return usage_error("a language calls this function of its session while the session calls the language: "
                     "kiln/c_frontend.h says which functions it may call");
}

SessionObject::SessionObject() = default;

ValueTable::~ValueTable() {
  for (const auto &[hash, handle] : handles) free_handle(HandleKind::Value, handle);
}

Result<void> ValueTable::give(kiln_value **out, const Value &value) {
  const uint64_t hash = value.hash();
  auto find = [&]() -> kiln_value * {
    auto [begin, end] = handles.equal_range(hash);
    for (auto it = begin; it != end; ++it)
      if (Pinned<ValueObject> object(it->second); object && object->value == value) return it->second;
    return nullptr;
  };
  {
    std::shared_lock lock(mutex);
    if ((*out = find())) return {};
  }
  std::lock_guard lock(mutex);
  if ((*out = find())) return {};
  KILN_CHECK(c::give<ValueObject>(out, *this, value));
  handles.emplace(hash, *out);
  return {};
}

ValueTable &values_of(SessionObject &session, World &world) {
  std::lock_guard lock(session.values_mutex);
  if (!session.values) session.values = std::make_unique<ValueTable>(world);
  return *session.values;
}

Result<ValueTable *> table_of(SessionObject &session) {
  {
    std::lock_guard lock(session.values_mutex);
    if (session.values) return session.values.get();
  }
  // The mutex is not held here. A call of a language takes it while the session's lock of definitions is
  // held, so the opposite order would deadlock.
  ValueTable *table = nullptr;
  KILN_CHECK(session.session->define([&](World &world) -> Result<void> {
    table = &values_of(session, world);
    return {};
  }));
  return table;
}

Result<Value> value_of(const ValueTable &table, const kiln_value *handle, std::string_view what) {
  Pinned<ValueObject> object(handle);
  if (!object) {
    Error error = bad_handle(HandleKind::Value, handle);
    return usage_error(fmt::format("{}: {}", what, error.diagnostics()[0].message));
  }
  if (object->table != &table) return usage_error(fmt::format("{}: it is a value of another session", what));
  return object->value;
}

Result<TypeRef> type_of(const ValueTable &table, const kiln_value *handle, std::string_view what) {
  KILN_TRY(Value value, value_of(table, handle, what));
  if (TypeRef type = value.as_type()) return type;
  return usage_error(fmt::format("{}: {} is no type", what, spell(value)));
}

Result<std::vector<TypeRef>> types_of(const ValueTable &table, const kiln_value *const *handles, size_t count,
                                      std::string_view what) {
  if (count && !handles) return usage_error(fmt::format("{}: the array is a null pointer", what));
  std::vector<TypeRef> types;
  for (size_t i = 0; i < count; i++) {
    KILN_TRY(TypeRef type, type_of(table, handles[i], fmt::format("{}[{}]", what, i)));
    types.push_back(type);
  }
  return types;
}

Result<Module *> module_of(const ValueTable &table, const kiln_value *handle) {
  if (!handle) return table.world.main();
  KILN_TRY(Value value, value_of(table, handle, "the module"));
  if (const Module *module = value.as_module()) return const_cast<Module *>(module); // owned by the World
  return usage_error(fmt::format("the module: {} is none", spell(value)));
}

} // namespace kiln::c

extern "C" {

int kiln_module_named(kiln_session *session, const char *full_name, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_module_named", out);
    KILN_TABLE(table, session);
    const Module *module = full_name ? table.world.find_module(full_name) : table.world.main();
    if (!module)
      return undefined_error(std::string(full_name), fmt::format("there is no module `{}`", full_name));
    return table.give(out, Value::module(table.world.types(), module));
  });
}

int kiln_value_named(kiln_session *session, const kiln_value *module, const char *name, kiln_value **out,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_named", out);
    KILN_NOT_NULL("kiln_value_named", name);
    KILN_TABLE(table, session);
    KILN_TRY(const Module *in, module_of(table, module));
    World &world = table.world;
    const Symbol symbol = world.types().symbol(name);
    KILN_TRY(std::optional<Value> value, world.lookup(*in, symbol, world.age()));
    if (!value)
      return undefined_error(std::string(name),
                             fmt::format("`{}` is not defined in {}", name, in->full_name()), {},
                             world.undefined_hint(*in, symbol));
    return table.give(out, *value);
  });
}

int kiln_evaluate(kiln_session *session, const char *name, const char *text, kiln_value **out,
                  kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_evaluate", out);
    KILN_NOT_NULL("kiln_evaluate", text);
    KILN_TABLE(table, session);
    KILN_CHECK(check_process(*object_of_table));
    KILN_TRY(Value value, evaluate(*object_of_table->session, name ? name : "none", text));
    return table.give(out, value);
  });
}

int kiln_value_of_bytes(kiln_session *session, const kiln_value *type, const void *bytes, size_t size,
                        kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_of_bytes", out);
    KILN_TABLE(table, session);
    TypeContext &types = table.world.types();
    KILN_TRY(TypeRef of, c::type_of(table, type, "the type"));
    const Layout *layout = of->is<DataType>() ? layout_of(types, of) : nullptr;
    if (!layout)
      return usage_error(fmt::format("a {} cannot be made of bytes: it holds references", spell(of)));
    if (layout->size != size)
      return usage_error(fmt::format("a {} has {} bytes, and {} are given", spell(of), layout->size, size));
    if (size && !bytes) return null_argument("kiln_value_of_bytes", "bytes");
    KILN_TRY(Value value, from_bytes(types, of, static_cast<const std::byte *>(bytes)));
    return table.give(out, value);
  });
}

int kiln_value_int64(kiln_session *session, int64_t value, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_int64", out);
    KILN_TABLE(table, session);
    return table.give(out, table.world.types().int64(value));
  });
}

int kiln_value_symbol(kiln_session *session, const char *text, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_symbol", out);
    KILN_NOT_NULL("kiln_value_symbol", text);
    KILN_TABLE(table, session);
    TypeContext &types = table.world.types();
    return table.give(out, Value::symbol(types, types.symbol(text)));
  });
}

int kiln_value_string(kiln_session *session, const char *text, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_string", out);
    KILN_NOT_NULL("kiln_value_string", text);
    KILN_TABLE(table, session);
    return table.give(out, Value::string(table.world.types(), text));
  });
}

int kiln_value_text(const kiln_value *value, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_text", text);
    KILN_PIN(ValueObject, object, value);
    return give_text(text, spell(object->value));
  });
}

int kiln_value_type(const kiln_value *value, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_type", out);
    KILN_PIN(ValueObject, object, value);
    TypeContext &types = object->table->world.types();
    return object->table->give(out, Value::type_value(types, types.type_of(object->value)));
  });
}

int kiln_type_apply(kiln_session *session, const kiln_value *type, const kiln_value *const *parameters,
                    size_t count, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_apply", out);
    KILN_TABLE(table, session);
    TypeContext &types = table.world.types();
    KILN_TRY(TypeRef generic, c::type_of(table, type, "the type"));
    if (count && !parameters) return null_argument("kiln_type_apply", "parameters");
    std::vector<TypeRef> given;
    for (size_t i = 0; i < count; i++) {
      KILN_TRY(Value value, value_of(table, parameters[i], fmt::format("parameters[{}]", i)));
      given.push_back(value.as_type() ? value.as_type() : types.constant(value));
    }
    KILN_TRY(TypeRef made, types.apply(generic, given));
    return table.give(out, Value::type_value(types, made));
  });
}

int kiln_type_tuple(kiln_session *session, const kiln_value *const *elements, size_t count, kiln_value **out,
                    kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_tuple", out);
    KILN_TABLE(table, session);
    TypeContext &types = table.world.types();
    KILN_TRY(std::vector<TypeRef> given, types_of(table, elements, count, "types"));
    return table.give(out, Value::type_value(types, types.tuple(given)));
  });
}

int kiln_type_union(kiln_session *session, const kiln_value *const *members, size_t count, kiln_value **out,
                    kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_union", out);
    KILN_TABLE(table, session);
    TypeContext &types = table.world.types();
    KILN_TRY(std::vector<TypeRef> given, types_of(table, members, count, "types"));
    return table.give(out, Value::type_value(types, types.union_of(given)));
  });
}

int kiln_type_variable(kiln_session *session, const char *name, const kiln_value *lower,
                       const kiln_value *upper, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_variable", out);
    KILN_NOT_NULL("kiln_type_variable", name);
    KILN_TABLE(table, session);
    TypeContext &types = table.world.types();
    TypeRef least = types.bottom(), most = types.builtins().Any;
    if (lower) {
      KILN_TRY(least, c::type_of(table, lower, "the lower bound"));
    }
    if (upper) {
      KILN_TRY(most, c::type_of(table, upper, "the upper bound"));
    }
    return table.give(out, Value::type_value(types, types.new_var(types.symbol(name), least, most)));
  });
}

int kiln_source(kiln_session *session, const char *name, const char *text, size_t size, uint32_t *file,
                kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_source", file);
    KILN_NOT_NULL("kiln_source", name);
    if (size) KILN_NOT_NULL("kiln_source", text);
    KILN_TABLE(table, session);
    auto source = table.world.sources().add(name, std::string(text ? text : "", size));
    *file = source->id();
    std::lock_guard lock(table.sources_mutex);
    table.sources.emplace(*file, std::move(source));
    return {};
  });
}

void kiln_source_free(kiln_session *session, uint32_t file) {
  Pinned<SessionObject> object(session);
  if (!object) return;
  std::lock_guard lock(object->values_mutex);
  if (!object->values) return;
  std::lock_guard sources(object->values->sources_mutex);
  object->values->sources.erase(file);
}
}
