// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements over arrays on the CPU: compiled quickly for few elements, and well once they come to many.
#include "cuda.h"

#include <algorithm>

namespace kiln {
namespace {

// Of a fused statement -O2 takes 12 ms to compile and 1 ns an element, -O1 2.5 ms and some 10 ns.
constexpr uint64_t few_elements = 1 << 16;    // of one launch
constexpr uint64_t elements_in_all = 1 << 18; // of the launches before and this one

/// Nothing of a program or of a package is in the type: how long its functions take for an element is known
/// to be short. They may hold a loop that never ends.
bool is_of_libraries(TypeRef type, int depth = 0) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data) return true; // a number that is a parameter, say
  const std::string_view module = data->name().module;
  const auto is_of = [&](std::string_view library) {
    return module == library ||
           (module.starts_with(library) && module.size() > library.size() && module[library.size()] == '.');
  };
  if (depth > 20 || !(is_of("Core") || is_of("Base") || is_of("CUDA"))) return false;
  return std::ranges::all_of(data->params(),
                             [&](TypeRef param) { return is_of_libraries(param, depth + 1); });
}

} // namespace

Result<const CudaLibrary::Code *> CudaLibrary::code_of_statement(const Value &function,
                                                                 std::span<const Value> arguments,
                                                                 uint64_t elements) {
  std::vector<TypeRef> types;
  for (const Value &argument : arguments) types.push_back(types_.type_of(argument));
  return code_of_statement(function, types, elements);
}

Result<const CudaLibrary::Code *> CudaLibrary::code_of_statement(const Value &function,
                                                                 std::span<const TypeRef> arguments,
                                                                 uint64_t elements) {
  Options options;
  // @device_code_llvm shows what statements of many elements run.
  if (!device_.is_gpu() && elements <= few_elements && !jobs_.is_collecting()) {
    std::vector<TypeRef> all{types_.type_of(function)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    auto [found, is_new] = statements_.try_emplace(std::move(all));
    Statement &statement = found->second;
    if (is_new)
      statement.is_of_libraries =
          std::ranges::all_of(found->first, [](TypeRef t) { return is_of_libraries(t); });
    statement.elements += elements;
    options.is_quick = statement.is_of_libraries && statement.elements <= elements_in_all;
  }
  return code_of_types(function, arguments, options, false);
}

} // namespace kiln
