// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays of a shape: undef_array(T, dims...), whose elements are set one by one, and what an iterator's
// shape is. Evaluated code only.
#include "fold.h"
#include "state.h"

namespace kiln {

namespace {

using Args = std::span<const Value>;

bool is_named(const Value &value, std::string_view name) {
  const auto *type = value.type()->as<DataType>();
  return type && type->name().name.text() == name && type->name().module.starts_with("Base");
}

/// The last part of an instance's fields by name; null: there is no such field.
const Value *field_of(TypeContext &types, const Value &value, std::string_view name) {
  const auto *type = value.type()->as<DataType>();
  const auto *fields = value.fields();
  if (!type || !fields) return nullptr;
  const int index = types.field_index(type, types.symbol(name));
  return index < 0 ? nullptr : &(*fields)[size_t(index)];
}

} // namespace

bool is_static_array(Interpreter &interpreter, const Value &value) {
  World &world = interpreter.world();
  if (!value.as_type()) return false;
  auto found = world.lookup(*world.base(), world.types().symbol("StaticArray"), world.age());
  return found.ok() && *found && (*found)->as_type() &&
         is_subtype(world.types(), value.as_type(), (*found)->as_type());
}

Result<std::optional<std::vector<int64_t>>> shape_of(Interpreter &interpreter, const Value &items) {
  using Shape = std::optional<std::vector<int64_t>>;
  TypeContext &types = interpreter.world().types();
  if (const HostArray *array = items.as_array()) return Shape(array->dims);
  if (is_named(items, "Generator") || is_named(items, "Enumerate")) {
    const Value *inner = field_of(types, items, is_named(items, "Generator") ? "iter" : "items");
    return inner ? shape_of(interpreter, *inner) : Result<Shape>(Shape());
  }
  if (is_named(items, "ProductOf")) {
    const Value *a = field_of(types, items, "a"), *b = field_of(types, items, "b");
    if (!a || !b) return Shape();
    KILN_TRY(Shape left, shape_of(interpreter, *a));
    KILN_TRY(Shape right, shape_of(interpreter, *b));
    if (left && right) left->insert(left->end(), right->begin(), right->end());
    return left && right ? std::move(left) : Shape();
  }
  World &world = interpreter.world();
  KILN_TRY(auto size, world.lookup(*world.base(), types.symbol("size"), world.age()));
  const bool is_array = is_subtype(types, items.type(), [&]() -> TypeRef {
    auto found = world.lookup(*world.base(), types.symbol("AbstractArray"), world.age());
    return found.ok() && *found && (*found)->as_type() ? (*found)->as_type() : types.bottom();
  }());
  const auto *type = items.type()->as<DataType>();
  if (type && type->is_tuple() && items.fields())
    return Shape(std::vector<int64_t>{int64_t(items.fields()->size())});
  if (!size || !is_array) return Shape();
  KILN_TRY(Value dims, interpreter.call(*size, Args(&items, 1)));
  std::vector<int64_t> made;
  if (const auto *fields = dims.fields())
    for (const Value &d : *fields) made.push_back(int64_t(d.low_bits()));
  return Shape(std::move(made));
}

Result<void> add_making_library(Interpreter &interpreter) {
  World &world = interpreter.world();
  TypeContext &types = world.types();
  KILN_CHECK(interpreter.add_host_function(
      *world.base(), "undef_array", [&types](Interpreter &i, Args args) -> Result<Value> {
        TypeRef element = args.empty() ? nullptr : args[0].as_type();
        if (!element) return Value();
        std::vector<int64_t> dims;
        std::vector<Value> flat(args.begin() + 1, args.end());
        if (flat.size() == 1 && flat[0].fields()) flat = std::vector<Value>(*flat[0].fields());
        if (flat.size() == 1 && flat[0].type() == types.tuple({})) flat.clear();
        for (const Value &d : flat) {
          if (!d.is_primitive() || !types.is_integer(d.type()))
            return make_error(ErrorCode::MethodError,
                              fmt::format("a dimension must be an integer, not {}", to_string(d)));
          dims.push_back(d.type() == types.builtins().Int32 ? int32_t(d.low_bits()) : int64_t(d.low_bits()));
        }
        return make_array(types, element, std::move(dims), i.state());
      }));
  KILN_CHECK(interpreter.add_host_function(*world.base(), "array_shape",
                                           [&types](Interpreter &i, Args args) -> Result<Value> {
                                             if (args.size() != 1) return Value();
                                             KILN_TRY(auto shape, shape_of(i, args[0]));
                                             if (!shape) return Value();
                                             std::vector<Value> dims;
                                             for (int64_t d : *shape) dims.push_back(types.int64(d));
                                             return tuple_value(types, dims);
                                           }));
  return {};
}

} // namespace kiln
