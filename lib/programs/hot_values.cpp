// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts a program's values to the bytes that compiled code takes, and back.
#include "hot_code.h"

#include <interp/host_arrays.h>

#include <kiln/abi.h>

#include <algorithm>
#include <cstring>

namespace kiln {

bool HotCode::has_array(TypeRef type, bool or_text) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data) return false;
  if (data == types_.builtins().String) return or_text;
  if (&data->name() == types_.builtins().ArrayName || shapes().is_reference(type)) return true;
  if (types_.is_isbits(type) || data->is_abstract() || data->name().is_mutable || data->name().is_type)
    return false;
  return std::ranges::any_of(types_.field_types(data),
                             [&](TypeRef field) { return has_array(field, or_text); });
}

/// Returns the number by which compiled code names a variable (Emitter::host_variable).
uint64_t HotCode::identity_of(const GlobalName &name) {
  return abi::symbol_identity(name.module->full_name() + "." + name.name.str());
}

bool HotCode::pack_variables(const Code &code, Packed &into) {
  for (const auto &[name, object] : code.variables) {
    auto value = world_.lookup(*name.module, name.name, world_.age());
    const TypeRef as = value.ok() && *value ? packed_type(types_.type_of(**value)) : nullptr;
    void *reference = nullptr;
    if (!as || !pack(**value, as, reinterpret_cast<std::byte *>(&reference), into)) return false;
    into.references->variables[identity_of(name)] = reference;
  }
  return true;
}

/// Returns the type that replaces `type` in compiled code: for an array the address of its header, for a
/// struct with arrays a tuple. Null: not supported.
TypeRef HotCode::packed_type(TypeRef type, int depth) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || depth > 20 || data->name().is_type) return nullptr;
  if (types_.is_isbits(type) || types_.is_singleton(type)) return type;
  const auto &b = types_.builtins();
  if (&data->name() == b.ArrayName || shapes().is_reference(type)) {
    if (shapes().is_reference(type) && !shapes().find(type)) return nullptr;
    TypeRef params[] = {b.Nothing};
    return types_.data(*b.PtrName, params);
  }
  if (!types_.is_concrete(type) || data->name().is_mutable || data->name().is_type || data->is_primitive())
    return nullptr;
  for (TypeRef by_identity : {b.Symbol, b.Module, b.Expr})
    if (type == by_identity) return nullptr;
  std::vector<TypeRef> fields;
  for (TypeRef field : types_.field_types(data)) {
    fields.push_back(packed_type(field, depth + 1));
    if (!fields.back()) return nullptr;
  }
  return fields.empty() ? nullptr : types_.tuple(fields);
}

bool HotCode::pack(const Value &value, TypeRef as, std::byte *out, Packed &into) {
  if (!value) return false; // an undefined field
  if (shapes().is_reference(value.type())) {
    void *reference = into.references->make(value);
    std::memcpy(out, static_cast<const void *>(&reference), sizeof reference);
    return reference;
  }
  if (HostArray *array = value.as_array()) {
    auto known = std::ranges::find(into.arrays, array, [](const auto &each) { return each.first; });
    const size_t number = size_t(known - into.arrays.begin());
    if (known == into.arrays.end()) {
      std::vector<uint64_t> header{uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())),
                                   array->bytes.size()};
      for (int64_t d : array->dims) header.push_back(uint64_t(d));
      header.push_back(uint64_t(array->length()));
      into.headers.push_back(std::move(header));
      into.arrays.emplace_back(array, value);
    }
    const uint64_t *header = into.headers[number].data();
    std::memcpy(out, static_cast<const void *>(&header), sizeof header);
    return true;
  }
  if (value.as_type()) return true;
  const Layout *layout = layout_of(types_, as);
  if (!layout) return types_.is_singleton(as);
  if (value.is_primitive()) {
    std::memcpy(out, value.bits().data(), layout->size);
    return true;
  }
  const std::vector<Value> *fields = value.fields();
  if (!fields || fields->size() != layout->offsets.size()) return layout->size == 0;
  std::span<const TypeRef> wanted = types_.field_types(as->as<DataType>());
  for (size_t i = 0; i < fields->size(); ++i)
    if (!types_.type_parameter(wanted[i]) && !pack((*fields)[i], wanted[i], out + layout->offsets[i], into))
      return false;
  return true;
}

/// Reads a value of type `type` from the bytes of its packed type `as`. The inverse of pack.
Result<Value> HotCode::unpack(TypeRef type, TypeRef as, const std::byte *bytes, Packed &given,
                              const HostArrays &made) {
  if (types_.is_singleton(type)) return types_.singleton_value(type);
  if (types_.is_isbits(type)) return from_bytes(types_, type, bytes);
  const DataType *data = type->as<DataType>();
  if (shapes().is_reference(type)) {
    const void *reference = nullptr;
    std::memcpy(static_cast<void *>(&reference), bytes, sizeof reference);
    return given.references->value(reference);
  }
  if (&data->name() == types_.builtins().ArrayName) {
    const uint64_t *header = nullptr;
    std::memcpy(static_cast<void *>(&header), bytes, sizeof header);
    for (size_t i = 0; i < given.headers.size(); ++i)
      if (header == given.headers[i].data()) return given.arrays[i].second;
    if (auto known = given.made.find(header); known != given.made.end()) return known->second;
    if (!made.has_made(header)) return internal_error("compiled code gave an array that nobody made");
    auto array = std::make_shared<HostArray>();
    array->element = data->params()[0];
    const auto *begin = reinterpret_cast<const std::byte *>(uintptr_t(header[0]));
    const int64_t dimensions = int64_t(data->params()[1]->as<ConstType>()->value().low_bits());
    array->dims.assign(header + 2, header + 2 + dimensions);
    array->bytes = std::vector<std::byte>(begin, begin + size_t(array->length()) * element_bytes(*array));
    return given.made[header] = Value::array(type, std::move(array));
  }
  const Layout *layout = layout_of(types_, as);
  std::vector<Value> fields;
  std::span<const TypeRef> of = types_.field_types(data), packed = types_.field_types(as->as<DataType>());
  for (size_t i = 0; i < of.size(); ++i) {
    KILN_TRY(Value field, unpack(of[i], packed[i], bytes + layout->offsets[i], given, made));
    fields.push_back(std::move(field));
  }
  return Value::structure(type, std::move(fields));
}

/// Makes an exception of the parts that compiled code has noted (program/domain.jl). An empty Value: it has
/// noted none.
Value HotCode::exception_of(std::string_view type, std::span<const Value> parts) {
  struct Fields {
    std::string_view of;
    size_t least, most;
  };
  constexpr Fields all[] = {
      {"DomainError", 1, 2}, {"BoundsError", 2, 2}, {"InexactError", 3, 3}, {"StringIndexError", 2, 2}};
  const auto *known = std::ranges::find(all, type, &Fields::of);
  if (known == std::end(all) || parts.size() < known->least ||
      !std::ranges::all_of(parts, &Value::operator bool))
    return {};
  const size_t count = std::min(known->most, parts.size());
  std::vector<Value> fields(parts.begin(), parts.begin() + ptrdiff_t(count));
  if (parts.size() > count) { // the parts of a text, the last field
    auto text = call_base(interpreter_, "string", parts.subspan(count - 1));
    if (!text.ok()) return {};
    fields.back() = *text;
  }
  auto made = call_base(interpreter_, type, fields);
  return made.ok() ? *made : Value();
}

Error HotCode::complete_error(Error error, Packed &given, const HostArrays &made) {
  Diagnostic &first = error.diagnostics().front();
  References &references = *given.references;
  if (first.name() == "KeyError" && references.missing_key)
    references.thrown = interpreter_.make_exception("KeyError", {{"key", references.missing_key}});
  if (!references.thrown) references.thrown = exception_of(first.name(), references.message);
  if (references.thrown) {
    Error named = interpreter_.raise(references.thrown);
    named.diagnostics().front().at = first.at;
    named.diagnostics().front().stack = first.stack;
    return named;
  }
  std::string text = std::exchange(first.subject, {}); // no thread index: the code is a plain function
  const std::vector<Value> &parts = references.message;
  if (text == References::unknown_text && std::ranges::all_of(parts, &Value::operator bool))
    if (auto made = call_base(interpreter_, "string", parts); made.ok() && made->as_string())
      text = *made->as_string();
  first.message = std::move(text);
  first.thread.reset();
  return first.code == ErrorCode::BoundsError ? bounds_error(std::move(error), given, made)
                                              : std::move(error);
}

Error HotCode::bounds_error(Error error, Packed &given, const HostArrays &made) {
  const OutOfBounds at = take_out_of_bounds();
  const std::vector<Value> &noted = given.references->message;
  const TypeRef type = noted.size() == 1 && noted[0] ? noted[0].as_type() : nullptr;
  if (!at.header || !type || at.count > int64_t(at.indices.size())) return error;
  auto array = unpack(type, type, reinterpret_cast<const std::byte *>(&at.header), given, made);
  if (!array.ok()) return error;
  std::vector<Value> indices;
  for (int64_t k = 0; k < at.count; ++k) indices.push_back(types_.int64(at.indices[size_t(k)]));
  Error named = array_bounds_error(interpreter_, *array, indices);
  named.diagnostics().front().at = error.diagnostics().front().at;
  named.diagnostics().front().stack = error.diagnostics().front().stack;
  return named;
}

} // namespace kiln
