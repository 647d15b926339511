// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches prepared once for the types of their arguments: kernel, code and places of the parameters' bytes.
// A repeated launch writes the arguments' bytes there, without converting values.
#include "cuda.h"

#include <chrono>
#include <cstring>

namespace kiln {

namespace {
// A statement of the CPU runs on the program's thread, unless its last runs took longer than this.
constexpr std::chrono::microseconds max_time_here(200);
constexpr uint32_t max_long_runs = 3;
constexpr size_t max_prepared = 2'000; // launches; all are prepared anew then
} // namespace

/// Bytes of a launch argument that follow from a value of one type.
struct CudaLibrary::Part {
  enum class Kind : uint8_t { Primitive, Array, Fields };
  Kind kind{};
  uint64_t offset = 0; ///< in the argument
  uint64_t bytes = 0;  ///< of a primitive, or of an array's element
  /// Offsets of a device array's fields: address, bytes, dims, length.
  std::array<uint64_t, 4> array{};
  std::vector<std::pair<size_t, Part>> fields{}; ///< by index in the value; fields without bytes are missing
};

/// A launch for one list of types of the function and its arguments.
struct CudaLibrary::Prepared {
  std::vector<TypeRef> given;
  WorldAge world = 0;
  bool is_direct = false;                     ///< `parts` describe all arguments
  std::vector<TypeRef> seen;                  ///< types of the arguments as kernels see them
  Value function;                             ///< as kernels see it
  std::vector<std::pair<size_t, Part>> parts; ///< arguments with bytes, by index; 0: the function
  ParameterBytes bytes;                       ///< of `parts`
  const Code *code = nullptr, *quick_code = nullptr;
  Value kernel;              ///< HostKernel of @cuda, if its function captures nothing
  WorldAge kernel_world = 0; ///< of the code in `kernel`
};

/// Returns true if a value's type determines how it is converted: no method of Adapt does, and the value has
/// no shared variable or Ref.
Result<bool> CudaLibrary::is_direct(const Value &value) {
  if (value.is_primitive() || value.as_type() || array_fields(value)) return true;
  const DataType *type = value.type() ? value.type()->as<DataType>() : nullptr;
  const std::vector<Value> *fields = value.fields();
  if (!type || !fields) return false;
  KILN_TRY(const bool adapts, is_adapted(*type, false));
  if (adapts) return false;
  const TypeName &name = type->name();
  const bool is_function =
      name.function_name || name.is_function || name.name.text().find('#') != std::string_view::npos;
  if (name.module.starts_with("Main") && !is_function && !types_.is_isbits(type)) return false; // uses Adapt
  for (const Value &field : *fields) {
    KILN_TRY(const bool is_direct_field, is_direct(field));
    if (!is_direct_field) return false;
  }
  return true;
}

/// Describes the bytes of `value`, which kernels see as a value of type `seen`.
std::optional<CudaLibrary::Part> CudaLibrary::part_of(const Value &value, TypeRef seen, uint64_t offset) {
  const Layout *layout = layout_of(types_, seen);
  const DataType *type = value.type() ? value.type()->as<DataType>() : nullptr;
  if (!layout || !type || value.as_type()) return std::nullopt;
  Part part{.offset = offset};
  if (value.is_primitive()) {
    if (seen != value.type()) return std::nullopt;
    part.kind = Part::Kind::Primitive;
    part.bytes = layout->size;
    return part;
  }
  if (array_fields(value)) {
    const Layout *element = layout_of(types_, type->params()[0]);
    if (!element || layout->offsets.size() != 4) return std::nullopt;
    part.kind = Part::Kind::Array;
    part.bytes = element->size;
    for (size_t i = 0; i < 4; ++i) part.array[i] = offset + layout->offsets[i];
    return part;
  }
  const std::vector<Value> *fields = value.fields();
  if (!fields) return std::nullopt;
  std::span<const TypeRef> wanted = types_.field_types(seen->as<DataType>());
  if (fields->size() != layout->offsets.size() || fields->size() != wanted.size()) return std::nullopt;
  part.kind = Part::Kind::Fields;
  for (size_t i = 0; i < fields->size(); ++i) {
    if (types_.type_parameter(wanted[i]) || types_.is_singleton(wanted[i])) continue;
    auto field = part_of((*fields)[i], wanted[i], offset + layout->offsets[i]);
    if (!field) return std::nullopt;
    part.fields.emplace_back(i, std::move(*field));
  }
  return part;
}

/// Writes the bytes of a value. Returns false if an array was freed, or overlaps another one that the launch
/// writes.
bool CudaLibrary::write(const Part &part, const Value &value, std::byte *out, const Destination *into) const {
  auto put_number = [&](uint64_t offset, uint64_t number) {
    std::memcpy(out + offset, &number, sizeof number);
  };
  switch (part.kind) {
  case Part::Kind::Primitive: std::memcpy(out + part.offset, value.bits().data(), part.bytes); return true;
  case Part::Kind::Array: {
    const std::vector<Value> &fields = *array_fields(value);
    const auto *memory = static_cast<const Memory *>(fields[0].as_object());
    if (memory->is_freed) return false;
    const uint64_t first = address_of(memory->buffer.data()) + fields[1].low_bits();
    uint64_t length = 1, at = part.array[2];
    for (const Value &extent : *fields[2].fields()) {
      put_number(at, extent.low_bits());
      length *= extent.low_bits();
      at += sizeof(uint64_t);
    }
    const uint64_t bytes = length * part.bytes;
    if (into && first < into->end && into->first < first + bytes && !egal(value, into->array)) return false;
    put_number(part.array[0], first);
    put_number(part.array[1], bytes);
    put_number(part.array[3], length);
    return true;
  }
  case Part::Kind::Fields: {
    // A wrapper of the result array reads other elements than the one that is written.
    std::optional<Destination> wrapped;
    if (const DataType *type = value.type()->as<DataType>(); into && type && wraps_array(*type))
      wrapped = Destination{.array = {}, .first = into->first, .end = into->end};
    for (const auto &[index, field] : part.fields)
      if (!write(field, (*value.fields())[index], out, wrapped ? &*wrapped : into)) return false;
    return true;
  }
  }
  return false;
}

Result<void> CudaLibrary::prepare(Prepared &launch, const Value &function, Args arguments) {
  auto add = [&](size_t index, const Value &value, TypeRef seen) {
    if (value.as_type() || types_.is_singleton(seen)) return;
    auto part = part_of(value, seen, 0);
    launch.is_direct &= part.has_value();
    if (!part || layout_of(types_, seen)->size == 0) return;
    launch.parts.emplace_back(index, std::move(*part));
    launch.bytes.emplace_back(layout_of(types_, seen)->size);
  };
  KILN_TRY(launch.function, converted(function, false));
  add(0, function, types_.type_of(launch.function));
  for (size_t i = 0; i < arguments.size(); ++i) {
    KILN_TRY(Value seen, converted(arguments[i], false));
    launch.seen.push_back(types_.type_of(seen));
    add(i + 1, arguments[i], launch.seen.back());
  }
  return {};
}

Result<CudaLibrary::Prepared *> CudaLibrary::prepared(const Value &function, Args arguments) {
  size_t hash = reinterpret_cast<uintptr_t>(types_.type_of(function));
  for (const Value &argument : arguments)
    hash = (hash ^ reinterpret_cast<uintptr_t>(types_.type_of(argument)) >> 4) * 0x9e3779b97f4a7c15u;
  auto is_same = [&](const Prepared &each) {
    if (each.given.size() != arguments.size() + 1 || each.given[0] != types_.type_of(function)) return false;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (each.given[i + 1] != types_.type_of(arguments[i])) return false;
    return true;
  };
  if (prepared_.size() > max_prepared) prepared_.clear();
  std::vector<std::shared_ptr<Prepared>> &bucket = prepared_[hash];
  auto found = std::ranges::find_if(bucket, [&](const auto &each) { return is_same(*each); });
  if (found != bucket.end() && (*found)->world == world_.age()) return found->get();
  auto made = std::make_shared<Prepared>();
  made->given.push_back(types_.type_of(function));
  for (const Value &argument : arguments) made->given.push_back(types_.type_of(argument));
  KILN_TRY(made->is_direct, is_direct(function));
  for (const Value &argument : arguments) {
    KILN_TRY(const bool is_direct_argument, is_direct(argument));
    made->is_direct &= is_direct_argument;
  }
  if (made->is_direct) KILN_CHECK(prepare(*made, function, arguments));
  made->world = world_.age();
  // The conversion may have changed the table.
  std::vector<std::shared_ptr<Prepared>> &now = prepared_[hash];
  std::erase_if(now, [&](const auto &each) { return is_same(*each); });
  now.push_back(made);
  return made.get();
}

Result<Value> CudaLibrary::prepared_kernel(Prepared &launch, const Value &f) {
  if (launch.kernel && launch.kernel_world == launch.code->world) return launch.kernel;
  KILN_TRY(Value kernel, host_kernel(f, launch.function, launch.seen, *launch.code));
  if (types_.is_singleton(types_.type_of(f))) { // else it holds this call's captured values
    launch.kernel = kernel;
    launch.kernel_world = launch.code->world;
  }
  return kernel;
}

Result<CudaLibrary::Launched> CudaLibrary::launch_prepared(Queue &queue, const Value &function,
                                                           Args arguments, const LaunchShape &shape,
                                                           uint64_t elements, const Destination *into) {
  if (jobs_.is_collecting()) return Launched(); // @device_code_llvm collects each launch
  KILN_TRY(Prepared * launch, prepared(function, arguments));
  if (!launch->is_direct) return Launched();
  for (size_t i = 0; i < launch->parts.size(); ++i) {
    const auto &[index, part] = launch->parts[i];
    if (!write(part, index ? arguments[index - 1] : function, launch->bytes[i].data(), into))
      return Launched();
  }
  Statement *statement = nullptr;
  if (!device_.is_gpu() && elements <= max_quick_elements)
    statement = &statement_of(launch->function, launch->seen);
  const bool is_quick = statement && counts_as_quick(*statement, elements);
  const Code *&code = is_quick ? launch->quick_code : launch->code;
  if (!code || code->world != world_.age()) {
    KILN_TRY(code,
             code_of_types(launch->function, launch->seen, Options{.is_quick = is_quick, .name = {}}, false));
  }
  LaunchOptions options;
  options.run_here = statement && statement->long_runs < max_long_runs;
  if (!options.run_here) {
    KILN_CHECK(put_bytes(queue, *code, launch->bytes, shape, options));
    return Launched{launch};
  }
  const auto began = std::chrono::steady_clock::now();
  KILN_CHECK(put_bytes(queue, *code, launch->bytes, shape, options));
  const bool is_long = std::chrono::steady_clock::now() - began > max_time_here;
  statement->long_runs = is_long ? statement->long_runs + 1 : 0;
  return Launched{launch};
}

} // namespace kiln
