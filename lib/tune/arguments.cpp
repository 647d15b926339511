// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"

#include <kiln/extension/language/internal/hint.h>
#include <kiln/extension/language/layout.h>
#include <kiln/extension/language/print.h>

#include <cstring>

namespace kiln {

namespace {

/// Header of an array argument (CuDeviceArray), read from the argument's bytes.
struct ArrayView {
  uint64_t first = 0, bytes = 0;
  std::vector<int64_t> dims;
};
ArrayView view_of(std::span<const std::byte> bytes, size_t rank) {
  ArrayView view;
  view.dims.resize(rank);
  std::memcpy(&view.first, bytes.data(), 8);
  std::memcpy(&view.bytes, bytes.data() + 8, 8);
  if (rank) std::memcpy(view.dims.data(), bytes.data() + 16, 8 * rank);
  return view;
}

uint64_t up_to_power(uint64_t n) { return n <= 1 ? n : uint64_t(1) << (64 - __builtin_clzll(n - 1)); }

bool is_whole_number(TypeContext &types, TypeRef type) {
  const std::string name = to_string(type);
  return layout_of(types, type) && layout_of(types, type)->size <= 8 &&
         (name.starts_with("Int") || name.starts_with("UInt"));
}

} // namespace

Result<void> TunedArguments::open() {
  for (size_t i = 0; i < request_.arguments.size(); i++) {
    const TuneArgument &argument = request_.arguments[i];
    fixed_.emplace_back();
    if (argument.value) {
      KILN_TRY(fixed_[i], item_of(i + 1, *argument.value));
    } else if (names_in(argument.expression).empty()) {
      KILN_TRY(fixed_[i], item_of(i + 1, argument.expression));
    }
  }
  return {};
}

void TunedArguments::add_array(const std::vector<size_t> &arguments, const std::shared_ptr<HostArray> &host) {
  arrays_.add({.first = uint64_t(reinterpret_cast<uintptr_t>(host->bytes.data())),
               .bytes = host->bytes.size(),
               .element = host->element,
               .dims = host->dims,
               .arguments = arguments,
               .host = host});
}

void TunedArguments::add_arrays(const std::vector<size_t> &arguments, const Value &value) {
  if (value.as_array()) add_array(arguments, value.shared_array());
  if (const std::vector<Value> *fields = value.fields())
    for (const Value &field : *fields) add_arrays(arguments, field);
}

Result<TunedArguments::Item> TunedArguments::item_of_value(const Value &value) {
  Item item{.value = value};
  item.type = types_.type_of(value);
  KILN_TRY(item.bytes, encode(types_, value));
  if (!item.bytes.empty() && is_whole_number(types_, item.type)) {
    int64_t number = 0;
    std::memcpy(&number, item.bytes.data(), item.bytes.size());
    const unsigned unused = unsigned(64 - 8 * item.bytes.size());
    if (unused && to_string(item.type).starts_with("Int"))
      number = int64_t(uint64_t(number) << unused) >> unused;
    item.number = number;
  }
  return item;
}

Result<TunedArguments::Item> TunedArguments::item_of(size_t argument, const std::string &text) {
  KILN_TRY(Value value,
           source_.evaluate(fmt::format("{} {}", by_door("--arg", "argument", "argument"), argument), text));
  KILN_TRY(Value adapted, kernel_value(session_, value));
  const bool names_parameter = !fixed_.empty() && argument <= fixed_.size() &&
                               !names_in(request_.arguments[argument - 1].expression).empty();
  const std::vector<size_t> arguments =
      names_parameter ? std::vector<size_t>() : std::vector<size_t>{argument};
  add_arrays(arguments, value);
  KILN_TRY(Item item, item_of_value(adapted));
  // A Const(A) argument contains only a pointer; the caller's source of arguments knows its array.
  if (source_.arrays)
    for (const auto &host : source_.arrays()) {
      bool is_ours = false;
      for_each_pointer(types_, item.type, item.bytes.data(), [&](std::byte *at) {
        uint64_t address = 0;
        std::memcpy(&address, at, sizeof address);
        is_ours |= address == uint64_t(reinterpret_cast<uintptr_t>(host->bytes.data()));
      });
      if (is_ours) add_array(arguments, host);
    }
  item.value = std::move(value);
  return item;
}

/// Makes an item for an argument of the embedder. The type is given by name; the bytes stay unchanged.
Result<TunedArguments::Item> TunedArguments::item_of(size_t argument, const Argument &given) {
  KILN_TRY(Value type, evaluate(session_, fmt::format("the type of argument {}", argument), given.type));
  Item item;
  item.type = type.as_type();
  if (!item.type) return usage_error(fmt::format("argument {}: `{}` is no type", argument, given.type));
  const Layout *layout = layout_of(types_, item.type);
  const bool is_symbol = given.type == "Symbol";
  if (!is_symbol && (!layout || layout->size != given.bytes.size()))
    return usage_error(fmt::format("argument {}: a {} has {} bytes, not {}", argument, given.type,
                                   layout ? layout->size : 0, given.bytes.size()));
  item.bytes = given.bytes;
  if (const DataType *data = item.type->as<DataType>(); data && data->name().name.text() == "CuDeviceArray") {
    const ArrayView view = view_of(item.bytes, item.bytes.size() / 8 - 3);
    TunedArrays::Array array{.first = view.first,
                             .bytes = view.bytes,
                             .element = data->params()[0],
                             .dims = view.dims,
                             .arguments = {argument},
                             .host = nullptr};
    if (array.bytes && !array.first)
      return usage_error(fmt::format("argument {}: an array without memory", argument));
    arrays_.add(std::move(array));
  } else if (!is_symbol && !item.bytes.empty() && is_whole_number(types_, item.type)) {
    KILN_TRY(Value value, from_bytes(types_, item.type, item.bytes.data()));
    KILN_TRY(Item of_value, item_of_value(value));
    item.number = of_value.number;
  }
  return item;
}

Result<Value> TunedArguments::function(const std::string &text) {
  if (auto known = functions_.find(text); known != functions_.end()) return known->second;
  KILN_TRY(Value value, source_.evaluate("function", text));
  functions_[text] = value;
  return value;
}

void TunedArguments::append(TunedCall &call, const Item &item) const {
  call.types.push_back(item.type);
  if (!item.bytes.empty()) call.bytes.emplace_back(item.type, item.bytes);
}

Result<TunedCall> TunedArguments::call(const SpacePlan &space, const PointValues &values) {
  TunedCall call;
  KILN_TRY(const std::string name, space.filled(request_.function, values));
  KILN_TRY(call.function, function(name));
  KILN_TRY(const Item of_function, item_of_value(call.function));
  if (!of_function.bytes.empty()) call.bytes.emplace_back(of_function.type, of_function.bytes);
  for (size_t i = 0; i < fixed_.size(); i++) {
    if (fixed_[i]) {
      append(call, *fixed_[i]);
      continue;
    }
    KILN_TRY(std::string text, space.filled(request_.arguments[i].expression, values));
    auto known = by_text_.find({i, text});
    if (known == by_text_.end()) {
      KILN_TRY(Item item, item_of(i + 1, text));
      known = by_text_.emplace(std::pair(i, std::move(text)), std::move(item)).first;
    }
    append(call, known->second);
  }
  return call;
}

Result<TunedCall> TunedArguments::reference(const std::string &name) {
  TunedCall call;
  KILN_TRY(call.function, function(name));
  KILN_TRY(const Item of_function, item_of_value(call.function));
  if (!of_function.bytes.empty()) call.bytes.emplace_back(of_function.type, of_function.bytes);
  for (const auto &item : fixed_)
    if (item) append(call, *item);
  return call;
}

Result<int64_t> TunedArguments::size(int64_t argument, int64_t dimension) const {
  auto fault = [&](std::string message) {
    return make_error(ErrorCode::ExpressionError, std::move(message));
  };
  if (argument < 1 || size_t(argument) > fixed_.size())
    return fault(
        fmt::format("there is no argument {}: there are {}, counted from 1", argument, fixed_.size()));
  const auto &item = fixed_[size_t(argument) - 1];
  if (!item) return fault(fmt::format("argument {} differs between candidates", argument));
  if (dimension < 0) {
    if (!item->number)
      return fault(fmt::format("argument {} is a {}, no whole number", argument, spell(item->type)));
    return *item->number;
  }
  const TunedArrays::Array *array = arrays_.of_argument(size_t(argument));
  if (!array)
    return fault(fmt::format("argument {} is a {} and has no array of its own", argument, spell(item->type)));
  if (size_t(dimension) > array->dims.size()) return int64_t(1); // as in Julia
  if (dimension > 0) return array->dims[size_t(dimension) - 1];
  int64_t length = 1;
  for (int64_t extent : array->dims) length *= extent;
  return length;
}

std::string TunedArguments::shape_class() const {
  std::string out;
  for (size_t i = 0; i < fixed_.size(); i++) {
    if (!fixed_[i]) continue;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", to_string(fixed_[i]->type));
    if (fixed_[i]->number)
      out +=
          fmt::format(" to {}", *fixed_[i]->number < 0 ? -int64_t(up_to_power(uint64_t(-*fixed_[i]->number)))
                                                       : int64_t(up_to_power(uint64_t(*fixed_[i]->number))));
    if (const TunedArrays::Array *array = arrays_.of_argument(i + 1)) {
      std::string extents;
      for (int64_t extent : array->dims)
        extents += fmt::format("{}{}", extents.empty() ? "" : "x", up_to_power(uint64_t(extent)));
      out += " to " + extents;
    }
  }
  return out;
}

Result<LaunchBytes> TunedArguments::launch_bytes(const TunedCall &call, const Artifact &artifact,
                                                 const std::vector<std::vector<std::byte>> *copies) const {
  LaunchBytes made;
  for (const auto &[type, bytes] : call.bytes) {
    made.bytes.push_back(bytes);
    KILN_CHECK(arrays_.redirect(type, made.bytes.back(), copies));
  }
  EntryParameters entry;
  KILN_CHECK(entry.read(artifact, made.bytes));
  made.pointers.assign(entry.addresses().begin(), entry.addresses().end());
  return made;
}

} // namespace kiln
