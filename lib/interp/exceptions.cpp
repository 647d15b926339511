// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts errors to the exception values that catch blocks see, and exception values to errors.
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

namespace kiln {

namespace {

/// An exception with fields. The library's exception structs have none, since kernels report only an
/// exception's type.
class ExceptionObject final : public HostObject {
public:
  explicit ExceptionObject(std::vector<std::pair<Symbol, Value>> fields) : fields_(std::move(fields)) {}
  Value field(TypeContext &, Symbol name) const override {
    for (const auto &[each, value] : fields_)
      if (each == name) return value;
    return {};
  }

private:
  std::vector<std::pair<Symbol, Value>> fields_;
};

/// An exception type of Julia, and the names of its fields in the order of the constructor's arguments.
struct Known {
  std::string_view type;
  std::array<std::string_view, 3> fields;
};
constexpr Known known[] = {
    {"BoundsError", {"a", "i", ""}},
    {"DomainError", {"val", "msg", ""}},
    {"InexactError", {"func", "T", "val"}},
    {"MethodError", {"f", "args", "world"}},
    {"TypeError", {"func", "expected", "got"}},
    {"KeyError", {"key", "", ""}},
    {"StringIndexError", {"string", "index", ""}},
};

} // namespace

Value Interpreter::make_exception(std::string_view type,
                                  std::vector<std::pair<std::string_view, Value>> fields) {
  TypeContext &types = state_->world.types();
  TypeRef made = find_base_type(*this, type);
  const DataType *data = made ? made->as<DataType>() : nullptr;
  if (!data) return {};
  std::span<const Symbol> names = types.field_names(data);
  if (names.size() == fields.size() && !fields.empty()) { // the library's struct has these fields
    std::vector<Value> values;
    for (auto &[name, value] : fields) values.push_back(value);
    return Value::structure(made, std::move(values));
  }
  if (fields.empty() && names.empty()) return types.singleton_value(made);
  std::vector<std::pair<Symbol, Value>> kept;
  for (auto &[name, value] : fields) kept.emplace_back(types.symbol(name), value);
  return Value::object(made, std::make_shared<ExceptionObject>(std::move(kept)));
}

/// Adds constructors of these exception types that keep their arguments, for programs.
void add_exception_constructors(Interpreter &interpreter) {
  for (const Known &each : known) {
    TypeRef type = find_base_type(interpreter, each.type);
    const DataType *data = type ? type->as<DataType>() : nullptr;
    if (!data) continue;
    interpreter.add_host_constructor(data->name(),
                                     [&each](Interpreter &i, std::span<const Value> args) -> Result<Value> {
                                       std::vector<std::pair<std::string_view, Value>> fields;
                                       for (size_t k = 1; k < args.size() && k - 1 < each.fields.size(); ++k)
                                         if (!each.fields[k - 1].empty())
                                           fields.emplace_back(each.fields[k - 1], args[k]);
                                       return i.make_exception(each.type, std::move(fields));
                                     });
  }
}

Error Interpreter::raise(const Value &exception) {
  if (!exception) return usage_error("Interpreter::raise: there is no value");
  std::string name = to_string(exception.type());
  const std::vector<Value> *fields = exception.fields();
  std::string message = fields && !fields->empty() && (*fields)[0].as_string() ? *(*fields)[0].as_string()
                                                                               : to_string(exception);
  Error error = named_error(name, std::move(message));
  return state_->thrown_error(exception, std::move(error.diagnostics().front()));
}

/// Describes a collection as Julia's summary() does, for example "3-element Vector{Int64}".
static std::string summary_of(const Value &collection) {
  const HostArray *array = collection.as_array();
  if (!array) return spell(collection.type());
  const size_t rank = array->dims.size();
  if (rank == 0) return fmt::format("0-dimensional Array{{{}, 0}}", spell(array->element));
  if (rank == 1) return fmt::format("{}-element Vector{{{}}}", array->dims[0], spell(array->element));
  const std::string dims = fmt::format("{}", fmt::join(array->dims, "×"));
  return rank == 2 ? fmt::format("{} Matrix{{{}}}", dims, spell(array->element))
                   : fmt::format("{} Array{{{}, {}}}", dims, spell(array->element), rank);
}

Error Interpreter::bounds_error(const Value &collection, const Value &index) {
  if (state_->program) return raise(make_exception("BoundsError", {{"a", collection}, {"i", index}}));
  std::vector<std::string> shown;
  const std::vector<Value> *indices = index.is_primitive() || index.as_type() ? nullptr : index.fields();
  for (const Value &each : indices ? *indices : std::vector<Value>{index}) shown.push_back(spell(each));
  return make_error(ErrorCode::BoundsError, fmt::format("attempt to access {} at index [{}]",
                                                        summary_of(collection), fmt::join(shown, ", ")));
}

Value Interpreter::exception_of(const Error &error) {
  State &s = *state_;
  const Diagnostic &first = error.diagnostics().front();
  const auto is_of_error = [&](const Thrown &thrown) {
    return first.thrown != 0 && thrown.error.diagnostics().front().thrown == first.thrown;
  };
  if (s.thrown && is_of_error(*s.thrown)) return s.thrown->value;
  for (size_t i = s.caught.size(); i-- > 0;)
    if (is_of_error(s.caught[i])) return s.caught[i].value;
  TypeContext &types = s.world.types();
  Value message = Value::string(types, first.message);
  auto made = [&](std::string_view type) { return make_exception(type, {{"msg", message}}); };
  Value value;
  switch (first.code) {
  case ErrorCode::UndefVarError:
    value = make_exception("UndefVarError", {{"var", Value::symbol(types, types.symbol(first.subject))}});
    break;
  case ErrorCode::OutOfMemory: value = make_exception("OutOfMemoryError", {}); break;
  case ErrorCode::DivideError:
  case ErrorCode::StackOverflowError:
  case ErrorCode::OutOfMemoryError:
  case ErrorCode::UndefRefError:
  case ErrorCode::InterruptException: value = make_exception(first.name(), {}); break;
  default: value = made(first.name()); break; // null for "syntax error", which is not a type of Base
  }
  if (value && is_subtype(types, value.type(), exception_type())) return value;
  return made("ErrorException");
}

TypeRef Interpreter::exception_type() {
  TypeRef type = find_base_type(*this, "Exception");
  return type ? type : state_->world.types().builtins().Any;
}

bool Interpreter::may_catch(const Error &error) const {
  return error.kind() != ErrorKind::Internal && error.code() != ErrorCode::Exit;
}

Value Interpreter::enter_catch(Error error, size_t outer) {
  State &s = *state_;
  Value value = exception_of(error);
  if (uint64_t &number = error.diagnostics().front().thrown; number == 0) number = ++s.last_thrown;
  s.thrown.reset();
  s.caught.erase(s.caught.begin() + ptrdiff_t(std::min(outer, s.caught.size())), s.caught.end());
  s.caught.push_back({value, std::move(error)});
  return value;
}

} // namespace kiln
