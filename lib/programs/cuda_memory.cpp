// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for memory of a program's device. The device's main stream orders allocations and copies.
// Offsets are in bytes.
#include "cuda.h"

#include <interp/host_arrays.h>

#include <cstring>

namespace kiln {

Result<CudaLibrary::Memory *> CudaLibrary::memory_of(const Value &value) {
  auto *memory = dynamic_cast<Memory *>(value.as_object());
  if (!memory) return make_error(ErrorCode::MethodError, "this takes memory of the device");
  if (memory->is_freed)
    return make_error(ErrorCode::ArgumentError, "Attempt to use a freed reference.", {},
                      "unsafe_free! gave the array's memory back");
  return memory;
}

Result<uint8_t *> CudaLibrary::place(const Value &memory, const Value &offset, uint64_t bytes) {
  KILN_TRY(Memory * of, memory_of(memory));
  const uint64_t at = offset.low_bits();
  if (at > of->buffer.bytes() || bytes > of->buffer.bytes() - at)
    return make_error(ErrorCode::BoundsError,
                      fmt::format("{} bytes at {} of memory of {} bytes", bytes, at, of->buffer.bytes()));
  return of->buffer.as<uint8_t>() + at;
}

/// __allocate(bytes): memory of the AllocCache in use, or new memory
Result<Value> CudaLibrary::allocate(Args args) {
  if (!uses_cache_) return new_memory(args);
  KILN_TRY(auto function, world_.lookup(*cuda_, types_.symbol("cached_memory"), world_.age()));
  if (!function) return internal_error("module CUDA without cached_memory");
  return interpreter_.call(*function, args);
}

Result<Value> CudaLibrary::new_memory(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  const int64_t bytes = int64_t(args[0].low_bits());
  if (bytes < 0)
    return make_error(ErrorCode::OutOfMemoryError,
                      fmt::format("Out of GPU memory trying to allocate {} bytes", bytes));
  auto buffer = queue->stream.allocate(std::max<uint64_t>(uint64_t(bytes), 1));
  if (!buffer.ok()) {
    Error error = buffer.take_error();
    return make_error(ErrorCode::OutOfMemoryError,
                      fmt::format("Out of GPU memory trying to allocate {} bytes\n{}", bytes,
                                  error.diagnostics().front().message));
  }
  auto memory = std::make_shared<Memory>(std::move(*buffer), device_.is_gpu());
  if (memories_.size() > 1000)
    std::erase_if(memories_, [](const auto &each) { return each.second.expired(); });
  memories_[uint64_t(reinterpret_cast<uintptr_t>(memory->buffer.data()))] = memory;
  ++allocations_;
  allocated_bytes_ += uint64_t(bytes);
  return Value::object(device_buffer_, std::move(memory));
}

Result<Value> CudaLibrary::free(Args args) {
  auto *memory = dynamic_cast<Memory *>(args[0].as_object());
  if (memory && !memory->is_freed && !memory->is_cached) {
    memory->buffer = Buffer();
    memory->is_freed = true;
  }
  return types_.nothing();
}

/// __use_cache(use): whether allocations ask the AllocCache in use
Result<Value> CudaLibrary::use_cache(Args args) {
  uses_cache_ = args[0].low_bits() & 1;
  return types_.nothing();
}

/// __set_cached(memory, cached)
Result<Value> CudaLibrary::set_cached(Args args) {
  KILN_TRY(Memory * memory, memory_of(args[0]));
  memory->is_cached = args[1].low_bits() & 1;
  return types_.nothing();
}

/// __memory_facts(memory): (bytes, freed, cached)
Result<Value> CudaLibrary::memory_facts(Args args) {
  auto *memory = dynamic_cast<Memory *>(args[0].as_object());
  if (!memory) return make_error(ErrorCode::MethodError, "this takes memory of the device");
  const TypeRef of[] = {types_.builtins().Int64, types_.builtins().Bool, types_.builtins().Bool};
  return Value::structure(types_.tuple(of),
                          {types_.int64(int64_t(memory->buffer.bytes())), types_.boolean(memory->is_freed),
                           types_.boolean(memory->is_cached)});
}

/// __upload(memory, offset, array, first, count): copies elements of a host array to the device; first counts
/// from 0
Result<Value> CudaLibrary::upload(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  HostArray *array = args[2].as_array();
  const Layout *layout = array ? layout_of(types_, array->element) : nullptr;
  if (!layout)
    return make_error(ErrorCode::ArgumentError,
                      "CuArray only supports element types that are allocated inline.");
  const uint64_t first = args[3].low_bits() * layout->size, bytes = args[4].low_bits() * layout->size;
  if (first > array->bytes.size() || bytes > array->bytes.size() - first)
    return make_error(ErrorCode::BoundsError, "a copy beyond the end of an array");
  if (bytes == 0) return types_.nothing();
  KILN_TRY(uint8_t *to, place(args[0], args[1], bytes));
  KILN_CHECK(queue->stream.copy(to, array->bytes.data() + first, bytes));
  // The program may change the array after this call. CUDA has copied it by then; other streams have not.
  if (device_.kind() != DeviceKind::Cuda) {
    KILN_TRY(std::string thrown, wait_for(*queue));
    if (!thrown.empty()) return Value::string(types_, std::move(thrown));
  }
  return types_.nothing();
}

/// __download(array, first, count, memory, offset): copies elements to a host array; returns "", or the text
/// of a kernel's exception
Result<Value> CudaLibrary::download(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  HostArray *array = args[0].as_array();
  const Layout *layout = array ? layout_of(types_, array->element) : nullptr;
  if (!layout)
    return make_error(ErrorCode::ArgumentError,
                      "elements of a device are of types that are allocated inline");
  const uint64_t first = args[1].low_bits() * layout->size, bytes = args[2].low_bits() * layout->size;
  if (first > array->bytes.size() || bytes > array->bytes.size() - first)
    return make_error(ErrorCode::BoundsError, "a copy beyond the end of an array");
  KILN_TRY(uint8_t *from, place(args[3], args[4], bytes));
  if (bytes) KILN_CHECK(queue->stream.copy(array->bytes.data() + first, from, bytes));
  KILN_TRY(std::string thrown, wait_for(*queue));
  return Value::string(types_, std::move(thrown));
}

/// __copy(to, offset, from, offset, bytes)
Result<Value> CudaLibrary::copy(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  const uint64_t bytes = args[4].low_bits();
  if (bytes == 0) return types_.nothing();
  KILN_TRY(uint8_t *to, place(args[0], args[1], bytes));
  KILN_TRY(uint8_t *from, place(args[2], args[3], bytes));
  if (to == from) return types_.nothing();
  KILN_CHECK(queue->stream.copy(to, from, bytes));
  return types_.nothing();
}

/// __fill(memory, offset, count, value): false if the value's bytes are not all equal; a kernel must fill
/// then
Result<Value> CudaLibrary::fill(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  KILN_TRY(auto bytes, to_bytes(types_, args[3]));
  for (std::byte b : bytes)
    if (b != bytes.front()) return types_.boolean(false);
  const uint64_t count = args[2].low_bits() * bytes.size();
  if (count == 0) return types_.boolean(true);
  KILN_TRY(uint8_t *to, place(args[0], args[1], count));
  KILN_CHECK(queue->stream.fill(to, uint8_t(bytes.front()), count));
  return types_.boolean(true);
}

/// __load(T, memory, offset): the element of type T, or the text of a kernel's exception as a string
Result<Value> CudaLibrary::load(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  TypeRef type = args[0].as_type();
  const Layout *layout = type ? layout_of(types_, type) : nullptr;
  if (!layout)
    return make_error(ErrorCode::ArgumentError,
                      "elements of a device are of types that are allocated inline");
  std::vector<std::byte> bytes(layout->size);
  KILN_TRY(uint8_t *from, place(args[1], args[2], layout->size));
  if (!bytes.empty()) KILN_CHECK(queue->stream.copy(bytes.data(), from, layout->size));
  KILN_TRY(std::string thrown, wait_for(*queue));
  if (!thrown.empty()) return Value::string(types_, std::move(thrown));
  return from_bytes(types_, type, bytes.data());
}

/// __store(memory, offset, value)
Result<Value> CudaLibrary::store(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  KILN_TRY(auto bytes, to_bytes(types_, args[2]));
  if (bytes.empty()) return types_.nothing();
  KILN_TRY(uint8_t *to, place(args[0], args[1], bytes.size()));
  KILN_CHECK(queue->stream.copy(to, bytes.data(), bytes.size()));
  KILN_TRY(std::string thrown, wait_for(*queue)); // the copy reads `bytes`, which this call owns
  if (!thrown.empty()) return Value::string(types_, std::move(thrown));
  return types_.nothing();
}

Result<Value> CudaLibrary::address(Args args) {
  KILN_TRY(Memory * memory, memory_of(args[0]));
  return types_.int64(int64_t(reinterpret_cast<uintptr_t>(memory->buffer.data())));
}

/// __memory_at(address, bytes): the memory block that contains these bytes, and their offset in the block
Result<Value> CudaLibrary::memory_at(Args args) {
  const uint64_t address = args[0].low_bits(), bytes = args[1].low_bits();
  auto at = memories_.upper_bound(address);
  if (at != memories_.begin()) {
    --at;
    if (auto memory = at->second.lock(); memory && !memory->is_freed &&
                                         address - at->first <= memory->buffer.bytes() &&
                                         bytes <= memory->buffer.bytes() - (address - at->first)) {
      KILN_TRY(Value held, object("DeviceBuffer", memory));
      TypeRef types[] = {held.type(), types_.builtins().Int64};
      return Value::structure(types_.tuple(types), {held, types_.int64(int64_t(address - at->first))});
    }
  }
  return make_error(ErrorCode::ArgumentError,
                    fmt::format("no array of the program's holds {} bytes at {:#x}", bytes, address));
}

/// __memory_status(): (in use, reserved, peak, free or 0, total or 0, allocated since the program started) in
/// bytes, and the number of allocations
Result<Value> CudaLibrary::memory_status(Args) {
  KILN_CHECK(open());
  const MemoryCounters counters = device_.memory();
  auto free = device_.free_memory();
  std::vector<Value> all;
  for (uint64_t n :
       {counters.current_bytes, counters.reserved_bytes, counters.peak_bytes, free.ok() ? *free : uint64_t(0),
        device_.info().memory_bytes, allocated_bytes_, allocations_})
    all.push_back(types_.int64(int64_t(n)));
  std::vector<TypeRef> types(all.size(), types_.builtins().Int64);
  return Value::structure(types_.tuple(types), std::move(all));
}

/// __host_array(T, dims): a new Array
Result<Value> CudaLibrary::host_array(Args args) {
  TypeRef element = args[0].as_type();
  if (!element || !types_.is_isbits(element))
    return make_error(ErrorCode::ArgumentError,
                      "elements of a device are of types that are allocated inline");
  auto dims = read_dims(types_, args.subspan(1, 1));
  return dims ? make_array(interpreter_, element, std::move(*dims)) : Result<Value>(Value());
}

/// Returns true for a triangular, symmetric, diagonal or sparse matrix that holds a device array.
bool CudaLibrary::is_structured(const Value &matrix) {
  static constexpr std::string_view names[] = {"UpperTriangular",
                                               "LowerTriangular",
                                               "UnitUpperTriangular",
                                               "UnitLowerTriangular",
                                               "Symmetric",
                                               "Hermitian",
                                               "Diagonal",
                                               "CuSparseVector",
                                               "CuSparseMatrixCSC",
                                               "CuSparseMatrixCSR"};
  const DataType *type = matrix.type()->as<DataType>();
  if (!type || matrix.fields()->empty() || !std::ranges::count(names, type->name().name.text())) return false;
  const Value &held = matrix.fields()->front();
  return held.type() && is_array(held.type()) && extent(held);
}

/// Base's collect for device arrays: one copy. Called before the library's Julia method, which copies element
/// by element.
Result<Value> CudaLibrary::collect(Args args) {
  if (!is_open_ || args.empty() || !(args.back().fields() || array_fields(args.back()))) return Value();
  const Value &array = args.back();
  if (!(is_array(array.type()) && extent(array)) && !is_structured(array)) return Value();
  KILN_TRY(auto function, world_.lookup(*cuda_, types_.symbol("collected"), world_.age()));
  if (!function) return Value();
  return interpreter_.call(*function, args);
}

} // namespace kiln
