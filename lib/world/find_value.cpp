// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds library values by name, for language front ends.
#include <kiln/extension/language/define.h>

#include <fmt/format.h>

#include <charconv>

namespace kiln {

Result<Value> find_value(World &world, std::string_view path) {
  TypeContext &types = world.types();
  const size_t last = path.rfind('.');
  if (last == path.npos || last == 0 || last + 1 == path.size())
    return input_error(fmt::format("`{}` is no path from a root module, as CUDA.threadIdx is", path));
  const Module *module = nullptr;
  for (size_t begin = 0; begin < last;) {
    const size_t end = std::min(path.find('.', begin), last);
    const Symbol name = types.symbol(path.substr(begin, end - begin));
    if (!module) {
      module = world.find_root_module(name);
    } else {
      KILN_TRY(auto inner, world.lookup(*module, name, world.age()));
      module = inner ? inner->as_module() : nullptr;
    }
    if (!module)
      return undefined_error(std::string(path.substr(0, end)),
                             fmt::format("there is no module {}", path.substr(0, end)));
    begin = end + 1;
  }
  const Symbol name = types.symbol(path.substr(last + 1));
  KILN_TRY(auto value, world.lookup(*module, name, world.age()));
  if (!value)
    return undefined_error(name.str(),
                           fmt::format("`{}` is not defined in module {}", name.text(), module->full_name()),
                           {}, world.undefined_hint(*module, name));
  return *value;
}

Result<Value> val(World &world, const Value &x) {
  if (!x) return usage_error("val: there is no value");
  TypeContext &types = world.types();
  KILN_TRY(Value wrapper, find_value(world, "Base.Val"));
  TypeRef params[] = {x.as_type() ? x.as_type() : types.constant(x)};
  KILN_TRY(TypeRef type, types.apply(wrapper.as_type(), params));
  return Value::singleton(type);
}

Result<TypeRef> array_type(World &world, TypeRef element, int64_t rank, bool in_any_memory) {
  if (!element) return usage_error("array_type: the type of the elements is null");
  if (rank < 0)
    return usage_error(fmt::format("array_type: an array has {} dimensions: give 0 or more", rank));
  TypeContext &types = world.types();
  KILN_TRY(Value wrapper, find_value(world, "CUDA.CuDeviceArray"));
  const TypeVar *memory = types.new_var(types.symbol("A"), types.bottom(), types.builtins().Any);
  TypeRef params[] = {element, types.constant(rank), types.constant(int64_t(1))};
  if (in_any_memory) params[2] = memory;
  KILN_TRY(TypeRef type, types.apply(wrapper.as_type(), params));
  return types.union_all(memory, type);
}

Result<TypeRef> argument_type(World &world, const Module &in, std::string_view text) {
  constexpr std::string_view array = "CuDeviceArray{";
  if (!text.starts_with(array)) {
    KILN_TRY(auto value, world.lookup(in, world.types().symbol(text), world.age()));
    return value ? value->as_type() : nullptr;
  }
  const size_t comma = text.rfind(", ", text.size() - 5); // "..., 2, 1}": the comma before the 2
  int64_t rank = 0;
  if (!text.ends_with(", 1}") || comma == text.npos || comma < array.size() ||
      std::from_chars(text.data() + comma + 2, text.data() + text.size() - 4, rank).ptr !=
          text.data() + text.size() - 4)
    return TypeRef(nullptr);
  KILN_TRY(TypeRef element, argument_type(world, in, text.substr(array.size(), comma - array.size())));
  return element ? array_type(world, element, rank) : Result<TypeRef>(TypeRef(nullptr));
}

} // namespace kiln
