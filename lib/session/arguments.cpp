// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between values of the language and the bytes of a launch.
#include "session.h"

#include <abi/abi.h>

namespace kiln {

Argument Argument::array_of(const std::string &element, void *data, const std::vector<int64_t> &dims, size_t element_size) {
  Argument a;
  a.type = fmt::format("CuDeviceArray{{{}, {}, 1}}", element, dims.size());
  int64_t length = 1;
  for (int64_t d : dims) length *= d;
  // abi::ArrayHeader: pointer, size in bytes, dimensions, length.
  std::vector<int64_t> words{int64_t(reinterpret_cast<intptr_t>(data)), length * int64_t(element_size)};
  words.insert(words.end(), dims.begin(), dims.end());
  words.push_back(length);
  a.bytes.resize(words.size() * sizeof(int64_t));
  std::memcpy(a.bytes.data(), words.data(), a.bytes.size());
  return a;
}

Result<Value> Session::State::adapt(const Value &value) {
  if (const HostArray *array = value.as_array()) {
    if (!types.is_isbits(array->element)) return input_error("KernelError", fmt::format("an array of {} cannot be passed to a kernel: its elements are not of a bits type", to_string(array->element)));
    KILN_TRY(auto type, world.lookup(*world.main(), types.symbol("CuDeviceArray"), world.age()));
    if (!type || !type->as_type()) return internal_error("module CUDA has no type CuDeviceArray");
    int64_t rank = int64_t(array->dims.size());
    TypeRef params[] = {array->element, types.constant(rank), types.constant(int64_t(1))};
    KILN_TRY(TypeRef device_array, types.apply(type->as_type(), params));
    TypeRef pointer_params[] = {array->element, types.constant(int64_t(1))};
    TypeRef pointer = types.data(*types.builtins().LLVMPtrName, pointer_params);
    std::vector<Value> dims;
    std::vector<TypeRef> dim_types(size_t(rank), types.builtins().Int64);
    for (int64_t d : array->dims) dims.push_back(types.int64(d));
    TypeRef tuple = types.tuple(dim_types);
    return Value::structure(device_array, {Value::primitive(pointer, {uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())), 0}),
                                           types.int64(int64_t(array->bytes.size())),
                                           rank ? Value::structure(tuple, std::move(dims)) : Value::singleton(tuple), types.int64(array->length())});
  }
  const auto *fields = value.fields();
  const DataType *data = value.type() ? value.type()->as<DataType>() : nullptr;
  if (!fields || !data) return value;
  // Arrays inside tuples: the tuple's type changes with them. (A struct that holds host arrays does not exist.)
  std::vector<Value> adapted;
  std::vector<TypeRef> field_types;
  bool changed = false;
  for (const Value &field : *fields) {
    KILN_TRY(Value inner, adapt(field));
    changed |= inner.type() != field.type();
    field_types.push_back(inner.type());
    adapted.push_back(std::move(inner));
  }
  if (!changed) return value;
  if (data->is_tuple()) return Value::structure(types.tuple(field_types), std::move(adapted));
  if (data->is_named_tuple()) {
    auto names = types.field_names(data);
    return Value::structure(types.named_tuple(names, field_types), std::move(adapted));
  }
  return input_error("KernelError", fmt::format("a value of type {} holds a host array and cannot be passed to a kernel", to_string(value.type())));
}

Error exception_error(const abi::ExceptionRecord &record, const SourceMap &sources) {
  // On the CPU the strings are in this process: whole, where the record's copies may be cut.
  auto at = [](uint64_t address) { return address ? std::string_view(reinterpret_cast<const char *>(uintptr_t(address))) : std::string_view(); };
  std::string_view text = at(record.name), location = at(record.location);
  std::string name(text.substr(0, text.find(':')));
  std::string message(text.size() > name.size() ? text.substr(name.size() + 1) : std::string_view());
  while (message.starts_with(' ')) message.erase(0, 1);
  Diagnostic d{};
  if (name.empty() && abi::ExceptionKind(record.kind) == abi::ExceptionKind::Unknown) {
    name = "error"; // all that level 0 knows
    d.hint = "-g1 tells which one and where";
  } else if (name.empty()) {
    name = std::string(abi::exception_name(abi::ExceptionKind(record.kind)));
  }
  std::string where = fmt::format("in thread ({}, {}, {}) of block ({}, {}, {})", record.thread[0] + 1, record.thread[1] + 1, record.thread[2] + 1,
                                  record.block[0] + 1, record.block[1] + 1, record.block[2] + 1);
  d.name = std::move(name);
  d.message = message.empty() ? (d.hint.empty() ? "" : "an exception was ") + ("thrown " + where) : message + ", " + where;
  // "function|file|line" a line, innermost first.
  while (!location.empty()) {
    std::string_view line = location.substr(0, location.find('\n'));
    location.remove_prefix(std::min(location.size(), line.size() + 1));
    // From the right: `|` is the name of a function too.
    size_t second = line.rfind('|'), first = second == 0 || second == line.npos ? line.npos : line.rfind('|', second - 1);
    if (first == line.npos) continue;
    std::string function(line.substr(0, first)), file(line.substr(first + 1, second - first - 1));
    int number = std::atoi(std::string(line.substr(second + 1)).c_str());
    d.stack.push_back({std::move(function), sources.locate_line(file, uint32_t(number))});
  }
  d.at = place_of(d.stack);
  return Error(ErrorKind::Input, std::move(d));
}

} // namespace kiln
