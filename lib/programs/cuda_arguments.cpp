// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts values to launch arguments, as CUDA.jl's cudaconvert does. A CuArray becomes a CuDeviceArray of
// its memory, also inside tuples, closures, and structs of the library. Structs of the program are converted
// by Adapt.adapt_structure.
#include "cuda.h"

#include <interp/cell.h>

namespace kiln {

std::optional<std::pair<uint64_t, uint64_t>> CudaLibrary::extent(const Value &array) {
  const DataType *type = array.type() ? array.type()->as<DataType>() : nullptr;
  if (!type) return std::nullopt;
  const std::vector<Value> *own = array_fields(array);
  if (!own) { // not a CuArray: search the wrapper's fields for one
    if (array.fields())
      for (const Value &field : *array.fields())
        if (auto found = extent(field)) return found;
    return std::nullopt;
  }
  const auto &fields = *own;
  auto *memory = dynamic_cast<Memory *>(fields[0].as_object());
  const Layout *layout = layout_of(types_, type->params()[0]);
  if (!memory || !layout) return std::nullopt;
  uint64_t bytes = layout->size;
  if (const auto *dims = fields[2].fields())
    for (const Value &extent : *dims) bytes *= extent.low_bits();
  const uint64_t first = uint64_t(reinterpret_cast<uintptr_t>(memory->buffer.data())) + fields[1].low_bits();
  return std::pair(first, first + bytes);
}

const std::vector<Value> *CudaLibrary::array_fields(const Value &value) const {
  const MutableObject *object = value.as_mutable();
  const DataType *type = object ? value.type()->as<DataType>() : nullptr;
  return type && &type->name() == cu_array_ ? &object->fields : nullptr;
}

bool CudaLibrary::wraps_array(const DataType &type) {
  static constexpr std::string_view names[] = {"SubArray", "Transpose", "Adjoint", "PermutedDimsArray",
                                               "ReshapedArray"};
  const std::string_view module = type.name().module;
  return (module == "Base" || module == "Base.PermutedDimsArrays") &&
         std::ranges::count(names, type.name().name.text());
}

Result<Value> CudaLibrary::device_array(TypeRef element, std::span<const int64_t> dims, uint64_t address) {
  return device_array_of(types_, device_array_, element, dims, address);
}

/// Applies CudaLibrary::view to each value inside a launch argument. kernel_view walks the values.
class CudaLibrary::View final : public ViewPolicy {
public:
  View(CudaLibrary &library, bool on_host, Destination *into)
      : library_(library), on_host_(on_host), into_(into) {}
  Result<Value> view(const Value &value) override { return library_.view(value, on_host_, into_); }

private:
  CudaLibrary &library_;
  const bool on_host_;
  Destination *const into_;
};

Result<Value> CudaLibrary::converted(const Value &value, bool on_host, Destination *into) {
  View view(*this, on_host, into);
  return kernel_view(world_, value, &view);
}

/// Converts one value for kernels. An empty Value: the caller must convert the value's fields instead.
Result<Value> CudaLibrary::view(const Value &value, bool on_host, Destination *into) {
  if (value.is_primitive() || value.as_type() || !value.type()) return value;
  if (as_cell(value)) { // a closure's shared variable: a launch uses its present value
    const Value plain = without_cells(types_, value);
    return as_cell(plain) ? value : converted(plain, on_host, into);
  }
  if (const HostArray *array = value.as_array()) {
    if (!on_host) return value; // the compiler rejects plain arrays
    return device_array(array->element, array->dims,
                        uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())));
  }
  const DataType *type = value.type()->as<DataType>();
  if (!type) return value;
  const std::vector<Value> *of_array = array_fields(value);
  if (const MutableObject *object = of_array ? nullptr : value.as_mutable()) {
    if (&type->name() != ref_ || object->fields.empty()) return value;
    KILN_TRY(Value inner, converted(object->fields[0], on_host));
    TypeRef params[] = {types_.type_of(inner)};
    KILN_TRY(TypeRef made, types_.apply(kernel_ref_, params));
    if (types_.is_singleton(made)) return types_.singleton_value(made);
    return Value::structure(made, {std::move(inner)});
  }
  if (&type->name() == cu_pointer_) {
    TypeRef params[] = {type->params()[0], types_.constant(int64_t(0))};
    return Value::primitive(types_.data(*types_.builtins().LLVMPtrName, params),
                            {(*value.fields())[0].low_bits(), 0});
  }
  KILN_TRY(bool adapts, is_adapted(*type, on_host));
  if (adapts) return adapt_structure(value, on_host);
  const std::vector<Value> *fields = of_array ? of_array : value.fields();
  if (!fields || fields->empty()) return value;
  if (into && (of_array || wraps_array(*type)) && !egal(value, into->array))
    if (auto at = extent(value); at && at->first < into->end && into->first < at->second) {
      KILN_TRY(auto copy, world_.lookup(*world_.base(), types_.symbol("copy"), world_.age()));
      if (!copy) return internal_error("Base has no function copy");
      KILN_TRY(Value apart, interpreter_.call(*copy, std::span(&value, 1)));
      into->copies.push_back(apart);
      return converted(apart, on_host);
    }
  if (of_array) {
    KILN_TRY(Memory * memory, memory_of((*fields)[0]));
    std::vector<int64_t> dims;
    if (const auto *extents = (*fields)[2].fields())
      for (const Value &extent : *extents) dims.push_back(int64_t(extent.low_bits()));
    return device_array(type->params()[0], dims,
                        uint64_t(reinterpret_cast<uintptr_t>(memory->buffer.data())) +
                            (*fields)[1].low_bits());
  }
  if (types_.is_isbits(value.type())) {
    KILN_TRY(bool inside, holds_adapted(*type, on_host));
    if (!inside) return value;
  }
  if (type->is_tuple() || type->is_named_tuple() || type->name().function_name || type->name().is_function ||
      !type->name().module.starts_with("Main"))
    return Value();
  // Closures are converted by fields, because code cannot write their field names. Other structs use Adapt.
  if (type->name().name.text().find('#') != std::string_view::npos) return Value();
  return adapt_structure(value, on_host);
}

/// __with_fields(x, fields): a copy of x with the fields replaced
Result<Value> CudaLibrary::replace_fields(Args args) {
  const std::vector<Value> *fields = args[1].fields();
  const DataType *type = args[0].type()->as<DataType>();
  if (!fields || !type || !args[0].fields() || fields->size() != args[0].fields()->size()) return args[0];
  KILN_TRY(auto made, with_fields(types_, *type, *fields));
  if (made) return std::move(*made);
  return make_error(ErrorCode::MethodError,
                    fmt::format("the adapted fields do not fit the type {}", spell(type)));
}

/// Returns true if the program or a package has its own Adapt method for values of the type. Cached by type
/// and world.
Result<bool> CudaLibrary::is_adapted(const DataType &type, bool on_host) {
  if (&type.name() == cu_pointer_) return true;
  if (const std::string_view module = type.name().module;
      module == "Base" || module == "Core" || module == "CUDA")
    return module == "CUDA" && type.name().name.text() == "CuTexture";
  auto &[world, adapts] = adapted_[{&type, on_host}];
  if (world == world_.age()) return adapts;
  KILN_TRY(TypeRef adaptor, named_type(on_host ? "HostAdaptor" : "KernelAdaptor"));
  bool own = false;
  for (std::string_view name : {"adapt_structure", "adapt_storage"}) {
    KILN_TRY(auto function, world_.lookup(*cuda_, types_.symbol(name), world_.age()));
    if (!function) continue;
    KILN_TRY(MethodMatch match,
             world_.lookup_method(types_.tuple({types_.type_of(*function), adaptor, TypeRef(&type)}),
                                  world_.age(), Symbol()));
    if (!match.method) continue;
    const Module *module = match.method->module;
    const bool is_generic = match.method->is_library && (module == cuda_ || module == world_.base());
    own |= !is_generic && module->name().text() != "Adapt" && module->name().text() != "KernelAbstractions";
  }
  adapts = own;
  world = world_.age();
  return adapts;
}

/// Returns true if a field, at any depth, has a type for which is_adapted is true.
Result<bool> CudaLibrary::holds_adapted(const DataType &type, bool on_host) {
  for (TypeRef field : types_.field_types(&type)) {
    const DataType *inner = field ? field->as<DataType>() : nullptr;
    if (!inner || inner->is_primitive() || inner == &type) continue;
    KILN_TRY(bool adapts, is_adapted(*inner, on_host));
    if (adapts) return true;
    KILN_TRY(bool inside, holds_adapted(*inner, on_host));
    if (inside) return true;
  }
  return false;
}

/// Converts a value by the program's own method of Adapt.adapt_structure. Without such a method, the value is
/// unchanged.
Result<Value> CudaLibrary::adapt_structure(const Value &value, bool on_host) {
  const Module *adapt = world_.find_root_module(types_.symbol("Adapt"));
  KILN_TRY(auto own, world_.lookup(*cuda_, types_.symbol("adapt_structure"), world_.age()));
  KILN_TRY(TypeRef adaptor, named_type(on_host ? "HostAdaptor" : "KernelAdaptor"));
  Value args[] = {types_.singleton_value(adaptor), value};
  auto function = own;
  if (adapt) {
    KILN_TRY(auto theirs, world_.lookup(*adapt, types_.symbol("adapt_structure"), world_.age()));
    if (theirs) function = theirs;
  }
  if (!function) return value;
  return interpreter_.call(*function, args);
}

/// __convert(x): x as kernels see it. __convert(x, true): for the CPU device, which also accepts host arrays
Result<Value> CudaLibrary::convert(Args args) {
  KILN_CHECK(open());
  return converted(args[0], args.size() > 1 && (args[1].low_bits() & 1));
}

} // namespace kiln
