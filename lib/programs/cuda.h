// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class CudaLibrary: the host functions behind CUDA.jl in programs. They provide memory, streams, launches
// and dotted calls on the session's device. The Julia code that calls them is in
// runtime/library/program/cuda. They are bound in module CUDA under names that start with __.
#pragma once

#include "cublas.h"
#include "host_blas.h"

#include <session/session.h>

#include <deque>
#include <map>
#include <unordered_map>

namespace kiln {

/// Returns a random seed that differs between processes (random.cpp).
uint64_t entropy();

/// A program's device, and the program's objects on it. Used only by the thread that runs the program.
class CudaLibrary {
public:
  /// `device`: "cpu", "cuda:1", "opencl" or another name of kiln/device_name.h; empty: a GPU if there is one,
  /// else the CPU. `say` prints the program's output, `tell` prints kernels' exceptions. `interrupts` stops
  /// launches on the CPU.
  CudaLibrary(Session &session, std::string device, std::function<void(std::string_view)> say,
              std::function<void(std::string_view)> tell, const StopSource &interrupts);
  ~CudaLibrary();
  /// Binds the host functions. The interpreter must not call them after this object is destroyed.
  Result<void> bind();

  /// A block of device memory, shared by the arrays in it.
  class Memory;
  /// A stream with its launches. A queue other than the main one keeps the values that its launches use until
  /// the queue is synchronised.
  class Queue;
  class EventObject;
  /// A kernel compiled for a list of argument types: CUDA.jl's CuFunction.
  class Compiled;

private:
  using Args = std::span<const Value>;
  using Function = Result<Value> (CudaLibrary::*)(Args);
  Result<void> bind(std::string_view name, Function function);

  // ---- the device (cuda_library.cpp)
  Result<void> open();
  Result<Queue *> main_queue();
  Result<Queue *> queue_of(const Value &stream); ///< queue of a CuStream; nothing: the main queue
  Result<Value> object(std::string_view type, std::shared_ptr<HostObject> made);
  Result<TypeRef> named_type(std::string_view name);
  Result<Value> functional(Args), device_text(Args), device_number(Args);
  Result<Value> new_stream(Args), synchronize(Args), new_event(Args), record(Args), wait_event(Args),
      elapsed(Args), event_done(Args), start_timings(Args), timing_table(Args), say(Args), tell(Args),
      nanoseconds(Args);
  /// Waits for a queue. Returns the text of a kernel's exception, or an empty string.
  Result<std::string> wait_for(Queue &queue);

  // ---- memory (cuda_memory.cpp)
  Result<Value> allocate(Args), new_memory(Args), use_cache(Args), set_cached(Args), memory_facts(Args),
      free(Args), upload(Args), download(Args), copy(Args), fill(Args), load(Args), store(Args),
      address(Args), memory_at(Args), memory_status(Args), host_array(Args), collect(Args);
  /// Returns the fields of a CuArray. Null if the value is no CuArray.
  const std::vector<Value> *array_fields(const Value &value) const;
  /// True for a type of Base that wraps another array, such as SubArray.
  static bool wraps_array(const DataType &type);
  Result<Memory *> memory_of(const Value &value);
  Result<uint8_t *> place(const Value &memory, const Value &offset, uint64_t bytes);

  // ---- conversion for kernels (cuda_arguments.cpp)
  struct Destination { ///< result array of a dotted call: arguments that overlap it are copied first
    Value array;
    uint64_t first = 0, end = 0;
    std::vector<Value> copies = {}; ///< copies of overlapping arguments, kept until the launch
  };
  /// Converts a launch argument to the form that kernels see. `on_host`: host arrays become arrays of the CPU
  /// device. `into`: the dotted call's result array, or null.
  Result<Value> converted(const Value &value, bool on_host, Destination *into = nullptr);
  Result<Value> device_array(TypeRef element, std::span<const int64_t> dims, uint64_t address);
  class View;
  Result<Value> view(const Value &value, bool on_host, Destination *into);
  Result<Value> replace_fields(Args);
  Result<Value> adapt_structure(const Value &value, bool on_host);
  Result<bool> is_adapted(const DataType &type, bool on_host),
      holds_adapted(const DataType &type, bool on_host);
  Result<Value> convert(Args);
  std::optional<std::pair<uint64_t, uint64_t>> extent(const Value &array); ///< address range of a CuArray

  // ---- launches (cuda_launch.cpp)
  struct Options {
    int max_registers = 0;
    bool always_inline = false, fast_math = false;
    bool is_quick = false; ///< compiled at -O1
    std::string name;
  };
  struct Code {
    WorldAge world = 0;
    Kernel kernel;
    /// the kernel is wrapped by seeded_kernel: its first arguments are the launch's seed and the function
    bool is_seeded = false;
  };
  /// Returns true if the kernel uses random numbers. Searches only kernels that contain a function of the
  /// program.
  Result<bool> draws_random(std::span<const TypeRef> all, const CompilerConfig &config);
  Result<Value> seed_launches(Args), load_code(Args); // load_code: cuda_modules.cpp
  /// Finds or compiles the kernel `function` for arguments of these types.
  Result<const Code *> code_of(const Value &function, std::span<const Value> arguments,
                               const Options &options, bool on_host);
  Result<const Code *> code_of_types(const Value &function, std::span<const TypeRef> arguments,
                                     const Options &options, bool on_host);
  /// Finds or compiles the kernel of a statement over arrays. `elements`: total number in the arrays
  /// (cuda_quick.cpp).
  Result<const Code *> code_of_statement(const Value &function, std::span<const Value> arguments,
                                         uint64_t elements);
  Result<const Code *> code_of_statement(const Value &function, std::span<const TypeRef> arguments,
                                         uint64_t elements);
  static constexpr uint64_t max_quick_elements = 1 << 16; ///< maximum in one launch
  struct Statement {                                      ///< over arrays, on the CPU
    bool is_of_libraries = false;
    uint64_t elements = 0;  ///< total number of elements in its launches so far
    uint32_t long_runs = 0; ///< number of long runs on the program's thread, since the last short one
  };
  Statement &statement_of(const Value &function, std::span<const TypeRef> arguments);
  static bool counts_as_quick(Statement &statement, uint64_t elements); ///< counts a launch
  /// Launches with the bytes of all arguments that have bytes.
  Result<void> put_bytes(Queue &queue, const Code &code, const ParameterBytes &bytes,
                         const LaunchShape &shape, LaunchOptions options);
  Result<void> put(Queue &queue, const Code &code, const Value &function, std::span<const Value> arguments,
                   const LaunchShape &shape, LaunchOptions options = {});
  Result<CompilerConfig> config(const Options &options, bool on_host);
  struct Ready { ///< a prepared launch
    Value function;
    std::vector<Value> arguments; ///< converted to the form that kernels see
    std::vector<TypeRef> types;   ///< types of the function, then of the arguments
    const Code *code = nullptr;
  };
  /// Prepares a launch. `elements`: total number in a statement's arrays; on the CPU, few elements may use
  /// quick code.
  Result<Ready> ready(const Value &function, const Value &arguments, uint64_t elements = UINT64_MAX);
  Result<Value> host_kernel(const Value &f, Value seen, std::vector<TypeRef> arguments, const Code &code);
  Result<Value> compile(Args), launch(Args), launch_now(Args), launch_elements(Args), suggest(Args),
      kernel_fact(Args), return_type(Args);
  Result<TypeRef> inferred(const Value &function, std::span<const TypeRef> arguments);

  // ---- prepared launches (cuda_prepared.cpp)
  struct Part;
  struct Prepared;
  struct Launched {
    Prepared *launch = nullptr; ///< null: the arguments must be converted; nothing was launched
    explicit operator bool() const { return launch != nullptr; }
  };
  Result<bool> is_direct(const Value &value);
  std::optional<Part> part_of(const Value &value, TypeRef seen, uint64_t offset);
  bool write(const Part &part, const Value &value, std::byte *out, const Destination *into) const;
  Result<void> prepare(Prepared &launch, const Value &function, Args arguments);
  Result<Prepared *> prepared(const Value &function, Args arguments);
  /// Launches a kernel on arguments that are not converted. `elements`: total number in a statement's arrays;
  /// UINT64_MAX: a kernel of the program. `into`: the array that the launch writes, or null.
  Result<Launched> launch_prepared(Queue &queue, const Value &function, Args arguments,
                                   const LaunchShape &shape, uint64_t elements,
                                   const Destination *into = nullptr);
  Result<Value> prepared_kernel(Prepared &launch, const Value &f); ///< the HostKernel of @cuda
  static uint64_t address_of(const void *place) { return uint64_t(reinterpret_cast<uintptr_t>(place)); }

  // ---- creation and reduction of arrays (cuda_reduce.cpp)
  /// maximum bytes of a partial result: shared memory holds one for each thread of a block
  static constexpr uint64_t widest_partial = 128;
  Result<TypeRef> array_type(TypeRef element, size_t rank);
  Result<Value> array_of(TypeRef element, const Value &dims, uint64_t bytes);
  Value tuple_of_ints(std::vector<Value> numbers);
  struct Fold { ///< elements as three nested extents, of which the middle one is reduced
    uint64_t before = 1, folded = 1, after = 1;
    uint64_t results() const { return before * after; }
  };
  struct Tiles { ///< number of elements that a block processes at once
    Value items; ///< Val(K) for kernels
    uint64_t elements = 0;
  };
  struct Reduction {
    Value op;    ///< operator
    Value start; ///< initial value, of the result's type
    Value order; ///< InOrder() or AnyOrder()
    Tiles tiles; ///< for blocks that reduce in order; elements 0: a value is too wide
    bool has_gpu_shape = false;
  };
  Result<std::optional<std::vector<int64_t>>> plain_size(const Value &nest);
  /// Prepares a reduction. `shape`: order, Val(K) and K for a GPU; empty for a CPU, which reduces in order.
  Result<Reduction> reduction_of(const Value &op, const Value &start, Args shape);
  Result<void> reduce_into(const Reduction &reduction, bool counts, const Value &source, const Fold &fold,
                           uint64_t out);
  bool is_in_device_memory(const Value &node);
  struct Start { ///< of a reduction, for one world age
    WorldAge world = 0;
    Value value;              ///< neutral element
    std::vector<Value> shape; ///< order, Val(K) and K for a GPU
  };
  Result<const Start *> start_of(const Value &op, const Value &nest, const Value &none);
  Result<Value> new_array(Args), part(Args), reduce_all(Args), reduce_dims(Args), reduce_to(Args);

  // ---- scans and searches by blocks of a GPU (cuda_scan.cpp)
  struct Lines { ///< lines to scan: `count` lines of `extent` elements at distance `stride`
    uint64_t extent = 0, stride = 1, count = 1;
  };
  Result<Tiles> tiles_of(const Value &items, const Value &each);
  Result<void> put_tiles(const Value &kernel, std::vector<Value> arguments, uint64_t blocks);
  Result<void> scan_into(const Value &op, TypeRef element, const Value &out, const Value &source,
                         const Lines &lines, const Tiles &tiles);
  Result<Value> scan(Args), find(Args);

  // ---- products of matrices (cuda_linear.cpp)
  struct Factor {                              ///< a matrix or vector in contiguous memory
    const std::vector<Value> *array = nullptr; ///< fields of a CuArray; null: another value
    TypeRef element = nullptr;
    MatrixProduct::Form form{};
    uint64_t rows = 0, columns = 1, rank = 0;
  };
  Factor factor_of(const Value &value) const;
  std::optional<MatrixProduct::Number> number_of(TypeRef element);
  Result<Value> multiply(Args), product(Args);
  /// False: there is no library for the product.
  Result<bool> multiply(const MatrixProduct &product, bool repays_cublas);
  Result<bool> multiply_on_host(const MatrixProduct &product, Queue &queue);

  // ---- dotted calls (cuda_broadcast.cpp)
  struct Shape {
    std::vector<int64_t> dims;
  };
  Result<void> meet(Shape &shape, const Value &node);
  Result<std::vector<int64_t>> size_of(const Value &array);
  const std::vector<Value> *nest_arguments(const Value &nest) const; ///< arguments of a dotted call
  bool is_array(TypeRef type);
  bool is_structured(const Value &matrix);
  bool is_linear(const Value &node, std::span<const int64_t> dims);
  Result<Value> broadcast_size(Args), broadcast_element(Args), broadcast_into(Args);

  // ---- dotted calls of device arrays alone (cuda_nests.cpp)
  struct NestFacts { ///< facts about nests of one type, for one world age
    WorldAge world = 0;
    bool is_plain = false; ///< device arrays and values without a shape
    bool is_of_device = false, is_in_device_memory = false;
    TypeRef element = nullptr; ///< of the result; null: not inferred yet
  };
  struct Extents { ///< common shape of the arrays in a nest
    static constexpr size_t max_rank = 8;
    std::array<int64_t, max_rank> dims{};
    size_t rank = 0;
    bool is_uniform = true; ///< all arrays have this shape
    bool has_array = false;
  };
  bool is_plain_nest(const Value &node);
  Result<NestFacts *> facts_of(const Value &nest);
  bool meet_extents(Extents &shape, const Value &node) const;
  /// Launches a nest of device arrays. False: its values must be converted first, or the shapes differ.
  Result<bool> launch_nest(const Value &array, const Value &nest, const Extents &shape);
  Result<Value> new_of_plain_nest(NestFacts &facts, const Value &nest);
  Result<Value> materialize(Args), new_of_nest(Args);

  Session &owner_;
  const StopSource &interrupts_;
  Definitions &definitions_;
  JobService &jobs_;
  LaunchService &launches_;
  TypeContext &types_;
  CompilerWorld &world_;
  Interpreter &interpreter_;
  std::string wanted_;
  std::function<void(std::string_view)> say_, tell_;
  Device device_;
  bool is_open_ = false;
  std::shared_ptr<std::vector<std::pair<Stream, std::deque<Value>>>> dropped_ =
      std::make_shared<std::vector<std::pair<Stream, std::deque<Value>>>>(); ///< streams that a Queue left
  std::vector<std::weak_ptr<Queue>> other_queues_; ///< of CuStreams that the program made
  std::shared_ptr<Queue> main_, host_queue_;       ///< host_queue_: the CPU's, if the device is a GPU
  std::unique_ptr<Cublas> cublas_;
  std::optional<HostBlas> host_blas_;
  std::unordered_map<TypeRef, std::optional<MatrixProduct::Number>> numbers_; ///< of libraries, by type
  bool is_blas_missing_ = false; ///< the search for the device's library failed
  Module *cuda_ = nullptr;
  std::map<std::pair<std::vector<TypeRef>, std::string>, Code> code_; ///< by types and unusual options
  std::map<std::vector<TypeRef>, Statement> statements_;
  std::unordered_map<size_t, std::vector<std::shared_ptr<Prepared>>> prepared_; ///< by hash of the types
  std::map<std::pair<TypeRef, TypeRef>, Start> starts_;                         ///< by operator and nest
  std::unordered_map<TypeRef, NestFacts> nests_;                                ///< by type
  std::vector<TypeRef> int_tuples_;                           ///< tuples of Int64, by number
  std::map<std::pair<TypeRef, size_t>, TypeRef> array_types_; ///< CuArray{T,N,DeviceMemory}
  std::map<TypeRef, TypeRef> host_kernels_;                   ///< HostKernel{F} of F
  std::map<TypeRef, std::pair<WorldAge, TypeRef>> inferred_;
  std::map<std::pair<const DataType *, bool>, std::pair<WorldAge, bool>> adapted_;
  std::map<uint64_t, std::weak_ptr<Memory>> memories_; ///< by address
  const TypeName *cu_array_ = nullptr, *cu_pointer_ = nullptr, *broadcasted_ = nullptr, *ref_ = nullptr,
                 *adjoint_ = nullptr, *transpose_ = nullptr;
  size_t nest_arguments_ = 0; ///< index of Broadcasted's field `args`
  TypeRef device_buffer_ = nullptr, device_memory_ = nullptr, colon_ = nullptr, no_initial_value_ = nullptr;
  TypeRef device_array_ = nullptr, kernel_ref_ = nullptr;
  Value linear_kernel_, cartesian_kernel_, element_function_, seeded_kernel_;
  Value matrix_product_;
  Value reduce_threads_, reduce_blocks_, reduce_tiles_, in_order_;
  Value sum_tiles_, scan_tiles_, scatter_tiles_;
  uint64_t launch_seed_ = entropy();               ///< state of the generator of launch seeds
  uint64_t allocations_ = 0, allocated_bytes_ = 0; ///< since the program started
  bool uses_cache_ = false;                        ///< an AllocCache serves allocations
};

class CudaLibrary::Memory : public HostObject {
public:
  Memory(Buffer owned, bool on_gpu) : buffer(std::move(owned)), is_of_gpu(on_gpu) {}
  Buffer buffer;
  bool is_of_gpu, is_freed = false;
  bool is_cached = false; ///< an AllocCache keeps it, so that unsafe_free! of its arrays does nothing
};

class CudaLibrary::Queue : public HostObject {
public:
  /// Streams whose Queue was destroyed while work was pending, with the values that the work uses. Destroying
  /// such a stream would wait.
  using Dropped = std::vector<std::pair<Stream, std::deque<Value>>>;
  Queue(Stream made, std::shared_ptr<Dropped> to) : stream(std::move(made)), dropped(std::move(to)) {}
  ~Queue() override {
    if (!stream.idle()) dropped->emplace_back(std::move(stream), std::move(kept));
  }
  std::string text() const override { return "CuStream(...)"; }
  Stream stream;
  bool is_main = false;
  std::deque<Value> kept;
  const std::shared_ptr<Dropped> dropped; ///< owned by the library
};

class CudaLibrary::EventObject : public HostObject {
public:
  Event event;
};

class CudaLibrary::Compiled : public HostObject {
public:
  Compiled(Value f, Options given, std::vector<TypeRef> types, bool host)
      : function(std::move(f)), options(std::move(given)), arguments(std::move(types)), on_host(host) {}
  Value function;
  Options options;
  std::vector<TypeRef> arguments; ///< converted to the form that kernels see
  bool on_host;
  Code code;
};

} // namespace kiln
