// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the code for statements over arrays on the CPU: compiled quickly for few elements, optimised once a
// statement's total of elements is large.
#include "cuda.h"

#include <algorithm>

namespace kiln {
namespace {

// A fused statement takes 12 ms to compile at -O2 and 1 ns per element. At -O1 it takes 2.5 ms and about 10
// ns.
constexpr uint64_t max_total_elements = 1 << 18; // maximum in all launches of a statement

/// Returns true if the type contains no function of a program or package. The time per element is then known
/// to be short; other functions may contain endless loops.
bool is_of_libraries(TypeRef type, int depth = 0) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data) return true; // a type parameter that is not a type, such as a number
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

CudaLibrary::Statement &CudaLibrary::statement_of(const Value &function, std::span<const TypeRef> arguments) {
  std::vector<TypeRef> all{types_.type_of(function)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto [found, is_new] = statements_.try_emplace(std::move(all));
  if (is_new)
    found->second.is_of_libraries =
        std::ranges::all_of(found->first, [](TypeRef t) { return is_of_libraries(t); });
  return found->second;
}

bool CudaLibrary::counts_as_quick(Statement &statement, uint64_t elements) {
  statement.elements += elements;
  return statement.is_of_libraries && statement.elements <= max_total_elements;
}

Result<const CudaLibrary::Code *> CudaLibrary::code_of_statement(const Value &function,
                                                                 std::span<const TypeRef> arguments,
                                                                 uint64_t elements) {
  Options options;
  // No quick code while @device_code_llvm collects: it shows the code for many elements.
  if (!device_.is_gpu() && elements <= max_quick_elements && !jobs_.is_collecting())
    options.is_quick = counts_as_quick(statement_of(function, arguments), elements);
  return code_of_types(function, arguments, options, false);
}

} // namespace kiln
