// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements calls with values of the language as arguments: closures, tuples, structs and host arrays.
#include "language.h"

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/launch.h>
#include <kiln/extension/language/layout.h>

using namespace kiln;
using namespace kiln::c;

namespace {

Result<std::vector<Value>> values_of(const ValueTable &table, const kiln_value *const *handles, size_t count,
                                     std::string_view function) {
  if (count && !handles) return null_argument(function, "arguments");
  std::vector<Value> values;
  for (size_t i = 0; i < count; i++) {
    KILN_TRY(Value value, value_of(table, handles[i], fmt::format("arguments[{}]", i)));
    values.push_back(std::move(value));
  }
  return values;
}

} // namespace

extern "C" {

int kiln_job_of_values(kiln_session *session, const kiln_value *function, const kiln_value *const *arguments,
                       size_t count, const char *options_json, kiln_job **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_of_values", out);
    KILN_TABLE(table, session);
    KILN_CHECK(check_process(*object_of_table));
    Session &in = *object_of_table->session;
    KILN_TRY(const Value callee, value_of(table, function, "the function"));
    KILN_TRY(const std::vector<Value> values, values_of(table, arguments, count, "kiln_job_of_values"));
    KILN_TRY(const CompilerConfig config, read_config(in, options_json));
    KILN_TRY(const ResolvedCall resolved, call_of(in, callee, values));
    KILN_TRY(Job made, kiln::job(in, resolved, config));
    return give<JobObject>(out, std::move(made));
  });
}

int kiln_launch_values(kiln_session *session, const kiln_device *device, const kiln_value *function,
                       const kiln_shape *shape, const kiln_value *const *arguments, size_t count,
                       const char *options_json, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_TABLE(table, session);
    KILN_CHECK(check_process(*object_of_table));
    Session &in = *object_of_table->session;
    KILN_PIN(DeviceObject, on, device);
    KILN_NOT_NULL("kiln_launch_values", shape);
    KILN_TRY(const Value callee, value_of(table, function, "the function"));
    KILN_TRY(const std::vector<Value> values, values_of(table, arguments, count, "kiln_launch_values"));
    Launch wanted;
    KILN_CHECK(read_shape(shape, wanted));
    KILN_TRY(const CompilerConfig config, read_config(in, options_json, on->value));
    return kiln::launch(in, on->value, callee, wanted.shape, values, config, wanted.options);
  });
}

int kiln_call_values(kiln_session *session, const kiln_value *function, const kiln_value *const *arguments,
                     size_t count, const char *options_json, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_call_values", out);
    KILN_TABLE(table, session);
    KILN_CHECK(check_process(*object_of_table));
    Session &in = *object_of_table->session;
    KILN_TRY(const Value callee, value_of(table, function, "the function"));
    KILN_TRY(const std::vector<Value> values, values_of(table, arguments, count, "kiln_call_values"));
    KILN_TRY(const CompilerConfig config, read_config(in, options_json));
    KILN_TRY(const Value result, call_function(in, callee, values, config));
    return table.give(out, result);
  });
}

int kiln_value_bytes(kiln_session *session, const kiln_value *value, void *out, size_t capacity, size_t *size,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_value_bytes", size);
    KILN_TABLE(table, session);
    KILN_CHECK(check_process(*object_of_table));
    KILN_TRY(const Value given, value_of(table, value, "the value"));
    KILN_TRY(const Value seen, kernel_value(*object_of_table->session, given));
    TypeContext &types = table.world.types();
    const DataType *type = types.type_of(seen)->as<DataType>();
    const bool has_bytes = !seen.as_type() && !seen.as_symbol() && !types.is_singleton(types.type_of(seen));
    if (has_bytes && (!type || !layout_of(types, type)))
      return input_error(fmt::format("no kernel takes a value of the type {}", spell(types.type_of(seen))));
    KILN_TRY(const std::vector<std::byte> bytes, encode(types, seen));
    *size = bytes.size();
    if (!out) return {};
    if (bytes.size() > capacity)
      return usage_error(fmt::format("the value has {} bytes, and `out` takes {}", bytes.size(), capacity));
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte *>(out));
    return {};
  });
}
}
