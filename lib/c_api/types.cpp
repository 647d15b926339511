// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_types.h: access to the components of types, and to the names of modules.
#include "language.h"

#include <kiln/c_types.h>
#include <kiln/extension/language/layout.h>
#include <kiln/extension/language/subtype.h>

using namespace kiln;
using namespace kiln::c;

namespace {

/// A type of the language and the value table of its session.
struct TypeOf {
  ValueTable *table = nullptr;
  TypeRef type = nullptr;
  TypeContext &types() const { return table->world.types(); }
  Result<void> give(kiln_value **out, TypeRef given) const {
    return table->give(out, Value::type_value(types(), given));
  }
};

Result<TypeOf> read_type(const kiln_value *handle) {
  Pinned<ValueObject> object(handle);
  if (!object) return bad_handle(HandleKind::Value, handle);
  KILN_TRY(TypeRef type, c::type_of(*object->table, handle, "the type"));
  return TypeOf{object->table, type};
}

/// Returns the type that `handle` refers to, which must belong to the session of `first`.
Result<TypeRef> other_type(const TypeOf &first, const kiln_value *handle) {
  return c::type_of(*first.table, handle, "the second type");
}

Result<const DataType *> read_data_type(const TypeOf &of) {
  if (const DataType *data = of.type->as<DataType>()) return data;
  return usage_error(fmt::format("{} is no data type", spell(of.type)));
}

Error no_such(std::string_view what, const TypeOf &of, size_t count, size_t index) {
  return usage_error(fmt::format("{} has {} {}{}, and that with the index {} is asked for", spell(of.type),
                                 count, what, count == 1 ? "" : "s", index));
}

} // namespace

extern "C" {

int kiln_type_is_subtype(const kiln_value *a, const kiln_value *b, int *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_is_subtype", out);
    KILN_TRY(const TypeOf first, read_type(a));
    KILN_TRY(TypeRef second, other_type(first, b));
    *out = is_subtype(first.types(), first.type, second);
    return {};
  });
}

int kiln_type_intersect(const kiln_value *a, const kiln_value *b, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_intersect", out);
    KILN_TRY(const TypeOf first, read_type(a));
    KILN_TRY(TypeRef second, other_type(first, b));
    return first.give(out, intersect(first.types(), first.type, second));
  });
}

int kiln_type_read(const kiln_value *type, kiln_type_info *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_type_read", out);
    KILN_TRY(const TypeOf of, read_type(type));
    TypeContext &types = of.types();
    kiln_type_info info{};
    info.is_concrete = types.is_concrete(of.type);
    info.is_bits = types.is_isbits(of.type);
    if (const DataType *data = of.type->as<DataType>()) {
      info.is_abstract = data->is_abstract();
      info.is_tuple = data->is_tuple();
      info.parameter_count = data->params().size();
      info.field_count = info.is_abstract ? 0 : types.field_count(data);
      if (const Layout *layout = info.is_concrete ? layout_of(types, data) : nullptr) {
        info.size = layout->size;
        info.alignment = layout->align;
      }
    }
    return write_struct(out, info, "kiln_type_info");
  });
}

int kiln_type_parameter(const kiln_value *type, size_t index, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_parameter", out);
    KILN_TRY(const TypeOf of, read_type(type));
    KILN_TRY(const DataType *data, read_data_type(of));
    if (index >= data->params().size()) return no_such("parameter", of, data->params().size(), index);
    TypeRef parameter = data->params()[index];
    if (const ConstType *constant = parameter->as<ConstType>()) return of.table->give(out, constant->value());
    return of.give(out, parameter);
  });
}

int kiln_type_field(const kiln_value *type, size_t index, kiln_value **field_type, char **name,
                    kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (field_type) *field_type = nullptr;
    if (name) *name = nullptr;
    KILN_TRY(const TypeOf of, read_type(type));
    KILN_TRY(const DataType *data, read_data_type(of));
    const std::span<const TypeRef> fields = of.types().field_types(data);
    if (index >= fields.size()) return no_such("field", of, fields.size(), index);
    if (field_type) KILN_CHECK(of.give(field_type, fields[index]));
    if (!name) return {};
    const std::span<const Symbol> names = of.types().field_names(data);
    return give_text(name, index < names.size() ? std::string(names[index].text()) : std::string());
  });
}

int kiln_type_super(const kiln_value *type, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_type_super", out);
    KILN_TRY(const TypeOf of, read_type(type));
    KILN_TRY(const DataType *data, read_data_type(of));
    return of.give(out, of.types().super(data));
  });
}

int kiln_module_use(kiln_session *session, const kiln_value *into, const kiln_value *used,
                    kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_TABLE(table, session);
    KILN_TRY(Module * user, module_of(table, into));
    KILN_TRY(const Module *module, module_of(table, used));
    return define(*object_of_table, [&]() -> Result<void> {
      table.world.use_module(*user, *module);
      return {};
    });
  });
}

int kiln_module_import(kiln_session *session, const kiln_value *into, const kiln_value *from,
                       const char *name, const char *as, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_TABLE(table, session);
    KILN_TRY(Module * user, module_of(table, into));
    KILN_TRY(const Module *module, module_of(table, from));
    KILN_TRY(Symbol symbol, name_of(table, "kiln_module_import", name));
    Symbol bound = symbol;
    if (as) {
      KILN_TRY(bound, name_of(table, "kiln_module_import", as));
    }
    return define(*object_of_table, [&] { return table.world.import_name(*user, *module, symbol, bound); });
  });
}

int kiln_module_export(kiln_session *session, const kiln_value *module, const char *name,
                       kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_TABLE(table, session);
    KILN_TRY(Module * in, module_of(table, module));
    KILN_TRY(Symbol symbol, name_of(table, "kiln_module_export", name));
    return define(*object_of_table, [&]() -> Result<void> {
      table.world.export_name(*in, symbol);
      return {};
    });
  });
}

int kiln_define_variable(kiln_session *session, const kiln_value *module, const char *name,
                         const kiln_value *value, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_TABLE(table, session);
    KILN_TRY(Module * in, module_of(table, module));
    KILN_TRY(Symbol symbol, name_of(table, "kiln_define_variable", name));
    KILN_TRY(Value given, value_of(table, value, "the variable"));
    return define(*object_of_table, [&] { return table.world.set_variable(*in, symbol, given, {}); });
  });
}
}
