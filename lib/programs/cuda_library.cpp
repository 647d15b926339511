// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for a program's device: selection, streams and events, properties.
#include "cuda.h"

#include <interp/host_arrays.h>

#include <kiln/device_name.h>

namespace kiln {

CudaLibrary::CudaLibrary(Session &session, std::string device, std::function<void(std::string_view)> say,
                         std::function<void(std::string_view)> tell, const StopSource &interrupts)
    : owner_(session), interrupts_(interrupts), definitions_(definitions_of(session)),
      jobs_(jobs_of(session)), launches_(launches_of(session)), types_(definitions_.types()),
      world_(definitions_.world()), interpreter_(definitions_.interpreter()), wanted_(std::move(device)),
      say_(std::move(say)), tell_(std::move(tell)) {}

CudaLibrary::~CudaLibrary() = default;

Result<void> CudaLibrary::bind(std::string_view name, Function function) {
  return interpreter_.add_host_function(
      *cuda_, name, [this, function](Interpreter &, Args args) { return (this->*function)(args); });
}

Result<void> CudaLibrary::bind() {
  cuda_ = world_.find_root_module(types_.symbol("CUDA"));
  if (!cuda_) return internal_error("a session without module CUDA");
  interpreter_.set_array_adapter({}); // a program's kernels take no host arrays
  static constexpr std::pair<std::string_view, Function> Functions[] = {
      {"__functional", &CudaLibrary::functional},
      {"__device_text", &CudaLibrary::device_text},
      {"__device_number", &CudaLibrary::device_number},
      {"__new_stream", &CudaLibrary::new_stream},
      {"__synchronize", &CudaLibrary::synchronize},
      {"__new_event", &CudaLibrary::new_event},
      {"__record", &CudaLibrary::record},
      {"__wait_event", &CudaLibrary::wait_event},
      {"__elapsed", &CudaLibrary::elapsed},
      {"__event_done", &CudaLibrary::event_done},
      {"__start_timings", &CudaLibrary::start_timings},
      {"__timing_table", &CudaLibrary::timing_table},
      {"__say", &CudaLibrary::say},
      {"__tell", &CudaLibrary::tell},
      {"__nanoseconds", &CudaLibrary::nanoseconds},
      {"__allocate", &CudaLibrary::allocate},
      {"__new_memory", &CudaLibrary::new_memory},
      {"__use_cache", &CudaLibrary::use_cache},
      {"__set_cached", &CudaLibrary::set_cached},
      {"__memory_facts", &CudaLibrary::memory_facts},
      {"__free", &CudaLibrary::free},
      {"__upload", &CudaLibrary::upload},
      {"__download", &CudaLibrary::download},
      {"__copy", &CudaLibrary::copy},
      {"__fill", &CudaLibrary::fill},
      {"__load", &CudaLibrary::load},
      {"__store", &CudaLibrary::store},
      {"__address", &CudaLibrary::address},
      {"__memory_at", &CudaLibrary::memory_at},
      {"__memory_status", &CudaLibrary::memory_status},
      {"__host_array", &CudaLibrary::host_array},
      {"__convert", &CudaLibrary::convert},
      {"__with_fields", &CudaLibrary::replace_fields},
      {"__compile", &CudaLibrary::compile},
      {"__launch", &CudaLibrary::launch},
      {"launch_now", &CudaLibrary::launch_now},
      {"launch_elements", &CudaLibrary::launch_elements},
      {"__load_code", &CudaLibrary::load_code},
      {"__seed_launches", &CudaLibrary::seed_launches},
      {"__suggest", &CudaLibrary::suggest},
      {"__kernel_fact", &CudaLibrary::kernel_fact},
      {"__return_type", &CudaLibrary::return_type},
      {"new_array", &CudaLibrary::new_array},
      {"new_of_nest", &CudaLibrary::new_of_nest},
      {"part", &CudaLibrary::part},
      {"reduce_to", &CudaLibrary::reduce_to},
      {"__reduce_all", &CudaLibrary::reduce_all},
      {"__reduce_dims", &CudaLibrary::reduce_dims},
      {"__scan", &CudaLibrary::scan},
      {"__find", &CudaLibrary::find},
      {"__multiply", &CudaLibrary::multiply},
      {"product", &CudaLibrary::product},
      {"__broadcast_size", &CudaLibrary::broadcast_size},
      {"__broadcast_element", &CudaLibrary::broadcast_element},
      {"__broadcast_into", &CudaLibrary::broadcast_into},
  };
  for (auto [name, function] : Functions) KILN_CHECK(bind(name, function));
  KILN_CHECK(interpreter_.add_host_function(*world_.base(), "materialize",
                                            [this](Interpreter &, Args args) { return materialize(args); }));
  return interpreter_.add_host_function(*world_.base(), "collect",
                                        [this](Interpreter &, Args args) { return collect(args); });
}

Result<TypeRef> CudaLibrary::named_type(std::string_view name) {
  KILN_TRY(auto value, world_.lookup(*cuda_, types_.symbol(name), world_.age()));
  if (!value || !value->as_type()) return internal_error(fmt::format("module CUDA has no type {}", name));
  return value->as_type();
}

Result<void> CudaLibrary::open() {
  if (is_open_) return {};
  device_ = owner_.cpu();
  if (!wanted_.empty()) {
    KILN_TRY(device_, owner_.device(wanted_));
  } else {
    if (auto gpus = owner_.gpus(); gpus.ok() && !gpus->empty())
      if (auto gpu = owner_.gpu(0); gpu.ok()) device_ = std::move(*gpu);
  }
  auto type_name = [&](Module &module, std::string_view name) -> Result<const TypeName *> {
    KILN_TRY(auto value, world_.lookup(module, types_.symbol(name), world_.age()));
    TypeRef type = value ? value->as_type() : nullptr;
    if (!type) return internal_error(fmt::format("{} has no type {}", module.full_name(), name));
    TypeRef body = type;
    while (const auto *all = body->as<UnionAllType>()) body = all->body();
    return &body->as<DataType>()->name();
  };
  KILN_TRY(cu_array_, type_name(*cuda_, "CuArray"));
  KILN_TRY(cu_pointer_, type_name(*cuda_, "CuPtr"));
  KILN_TRY(broadcasted_, type_name(*world_.base(), "Broadcasted"));
  KILN_TRY(auto nest, world_.lookup(*world_.base(), types_.symbol("Broadcasted"), world_.age()));
  TypeRef body = nest->as_type();
  while (const auto *all = body->as<UnionAllType>()) body = all->body();
  nest_arguments_ = size_t(types_.field_index(body->as<DataType>(), types_.symbol("args")));
  KILN_TRY(no_initial_value_, named_type("InitialValue"));
  colon_ = find_base_type(interpreter_, "Colon");
  KILN_TRY(device_memory_, named_type("DeviceMemory"));
  KILN_TRY(device_buffer_, named_type("DeviceBuffer"));
  KILN_TRY(ref_, type_name(*world_.base(), "RefValue"));
  KILN_TRY(adjoint_, type_name(*world_.base(), "Adjoint"));
  KILN_TRY(transpose_, type_name(*world_.base(), "Transpose"));
  KILN_TRY(device_array_, named_type("CuDeviceArray"));
  KILN_TRY(kernel_ref_, named_type("KernelRef"));
  auto function = [&](std::string_view name) -> Result<Value> {
    KILN_TRY(auto value, world_.lookup(*cuda_, types_.symbol(name), world_.age()));
    if (!value) return internal_error(fmt::format("module CUDA has no function {}", name));
    return std::move(*value);
  };
  KILN_TRY(linear_kernel_, function("broadcast_linear"));
  KILN_TRY(cartesian_kernel_, function("broadcast_cartesian"));
  KILN_TRY(matrix_product_, function("matrix_product"));
  KILN_TRY(reduce_threads_, function("reduce_threads"));
  KILN_TRY(reduce_blocks_, function("reduce_blocks"));
  KILN_TRY(reduce_tiles_, function("reduce_tiles"));
  KILN_TRY(TypeRef in_order, named_type("InOrder"));
  in_order_ = types_.singleton_value(in_order);
  KILN_TRY(sum_tiles_, function("sum_tiles"));
  KILN_TRY(scan_tiles_, function("scan_tiles"));
  KILN_TRY(scatter_tiles_, function("scatter_tiles"));
  KILN_TRY(auto element, world_.lookup(*world_.base(), types_.symbol("broadcast_at"), world_.age()));
  if (!element) return internal_error("Base has no function broadcast_at");
  KILN_TRY(seeded_kernel_, function("seeded_kernel"));
  element_function_ = std::move(*element);
  KILN_TRY(Stream stream, owner_.stream(device_));
  main_ = std::make_shared<Queue>(std::move(stream), dropped_);
  main_->is_main = true;
  if (device_.is_gpu()) {
    KILN_TRY(Stream host, owner_.stream(owner_.cpu()));
    host_queue_ = std::make_shared<Queue>(std::move(host), dropped_);
  } else {
    host_queue_ = main_;
  }
  is_open_ = true;
  return {};
}

Result<CudaLibrary::Queue *> CudaLibrary::main_queue() {
  KILN_CHECK(open());
  return main_.get();
}

Result<CudaLibrary::Queue *> CudaLibrary::queue_of(const Value &stream) {
  if (auto *queue = dynamic_cast<Queue *>(stream.as_object())) return queue;
  return main_queue();
}

Result<Value> CudaLibrary::object(std::string_view type, std::shared_ptr<HostObject> made) {
  KILN_TRY(TypeRef of, named_type(type));
  return Value::object(of, std::move(made));
}

Result<Value> CudaLibrary::functional(Args) {
  KILN_CHECK(open());
  return types_.boolean(device_.is_gpu());
}

Result<Value> CudaLibrary::device_text(Args) {
  KILN_CHECK(open());
  return Value::string(types_, device_.is_gpu() ? device_.info().name : "CPU");
}

/// __device_number(name): a device property by the name of CUDA.jl or Kiln
Result<Value> CudaLibrary::device_number(Args args) {
  KILN_CHECK(open());
  const std::string_view what = args[0].as_symbol().text();
  const DeviceLimits &limits = device_.limits();
  const GpuInfo &info = device_.info();
  const std::pair<std::string_view, uint64_t> Numbers[] = {
      {"number", uint64_t(std::max(info.number, 0))},
      {"capability", info.sm ? uint64_t(info.sm) : 89}, // other devices: without clusters
      {"memory", info.memory_bytes},
      {"multiprocessors", info.multiprocessors},
      {"threads_of_block", limits.threads_of_block},
      {"block_x", limits.block[0]},
      {"block_y", limits.block[1]},
      {"block_z", limits.block[2]},
      {"grid_x", limits.grid[0]},
      {"grid_y", limits.grid[1]},
      {"grid_z", limits.grid[2]},
      {"shared_bytes", limits.shared_bytes},
      {"shared_bytes_of_multiprocessor", limits.shared_bytes_of_multiprocessor},
      {"registers_of_block", limits.registers_of_block},
      {"threads_of_multiprocessor", limits.threads_of_multiprocessor},
      {"l2_bytes", limits.l2_bytes},
      {"warp", limits.warp},
      {"cooperative", limits.cooperative},
      {"clusters", limits.clusters},
      {"is_gpu", device_.is_gpu()},
  };
  for (auto [name, value] : Numbers)
    if (name == what) return types_.int64(int64_t(value));
  if (what == "gpus") {
    auto gpus = owner_.gpus();
    return types_.int64(gpus.ok() ? int64_t(gpus->size()) : 0);
  }
  return make_error(ErrorCode::ArgumentError, fmt::format("no attribute of a device is called {}", what));
}

Result<Value> CudaLibrary::new_stream(Args args) {
  KILN_CHECK(open());
  if (!args.empty()) return object("CuStream", main_);
  std::erase_if(*dropped_, [](const auto &each) { return each.first.idle(); });
  KILN_TRY(Stream stream, owner_.stream(device_));
  std::erase_if(other_queues_, [](const std::weak_ptr<Queue> &each) { return each.expired(); });
  auto queue = std::make_shared<Queue>(std::move(stream), dropped_);
  other_queues_.push_back(queue);
  return object("CuStream", std::move(queue));
}

Result<std::string> CudaLibrary::wait_for(Queue &queue) {
  auto wait = [&] {
    const StageScope stage(&jobs_.log().timer, Stage::WaitForDevice);
    return queue.stream.synchronize();
  };
  Result<void> done = wait();
  queue.kept.clear();
  if (done.ok()) return std::string();
  Error error = done.take_error();
  if (error.code() == ErrorCode::Stopped) { // interrupted; the program may have thrown the exception already
    if (StopToken::take(interrupts_)) return interrupt_error();
    return std::string();
  }
  if (error.kind() != ErrorKind::Input) return error;
  return error.what();
}

/// __synchronize(stream or nothing): waits; returns "", or the text of a kernel's exception.
/// __synchronize(): waits for all streams of the device.
Result<Value> CudaLibrary::synchronize(Args args) {
  KILN_TRY(Queue * queue, queue_of(args.empty() ? types_.nothing() : args[0]));
  KILN_TRY(std::string thrown, wait_for(*queue));
  if (!args.empty()) return Value::string(types_, std::move(thrown));
  // Copies, because another thread may make or drop streams during a wait.
  std::vector<std::shared_ptr<Queue>> others;
  for (const std::weak_ptr<Queue> &each : other_queues_)
    if (std::shared_ptr<Queue> other = each.lock()) others.push_back(std::move(other));
  for (auto &[stream, kept] : std::exchange(*dropped_, {})) {
    others.push_back(std::make_shared<Queue>(std::move(stream), dropped_));
    others.back()->kept = std::move(kept);
  }
  for (const std::shared_ptr<Queue> &other : others) {
    KILN_TRY(std::string text, wait_for(*other));
    if (thrown.empty()) thrown = std::move(text);
  }
  return Value::string(types_, std::move(thrown));
}

Result<Value> CudaLibrary::new_event(Args) {
  KILN_CHECK(open());
  return object("CuEvent", std::make_shared<EventObject>());
}

static CudaLibrary::EventObject *event_in(const Value &value) {
  return dynamic_cast<CudaLibrary::EventObject *>(value.as_object());
}

Result<Value> CudaLibrary::record(Args args) {
  auto *event = event_in(args[0]);
  if (!event) return make_error(ErrorCode::MethodError, "record takes a CuEvent");
  KILN_TRY(Queue * queue, queue_of(args.size() > 1 ? args[1] : types_.nothing()));
  KILN_CHECK(queue->stream.record(event->event));
  return types_.nothing();
}

/// __wait_event(event): the host waits. __wait_event(event, stream): later work in the stream waits
Result<Value> CudaLibrary::wait_event(Args args) {
  auto *event = event_in(args[0]);
  if (!event) return make_error(ErrorCode::MethodError, "wait takes a CuEvent");
  if (args.size() == 1) {
    event->event.wait();
  } else {
    KILN_TRY(Queue * queue, queue_of(args[1]));
    KILN_CHECK(queue->stream.wait(event->event));
  }
  return types_.nothing();
}

Result<Value> CudaLibrary::elapsed(Args args) {
  auto *from = event_in(args[0]), *to = event_in(args[1]);
  if (!from || !to) return make_error(ErrorCode::MethodError, "elapsed takes two CuEvents");
  KILN_TRY(auto time, Event::between(from->event, to->event));
  return types_.float32(float(double(time.count()) * 1e-9));
}

Result<Value> CudaLibrary::event_done(Args args) {
  auto *event = event_in(args[0]);
  if (!event) return make_error(ErrorCode::MethodError, "isdone takes a CuEvent");
  return types_.boolean(event->event.done());
}

Result<Value> CudaLibrary::start_timings(Args) {
  owner_.start_timings();
  return types_.nothing();
}

Result<Value> CudaLibrary::timing_table(Args) {
  std::string table = owner_.timings().table();
  owner_.stop_timings();
  return Value::string(types_, std::move(table));
}

Result<Value> CudaLibrary::say(Args args) {
  if (const std::string *text = args[0].as_string(); text && say_) say_(*text);
  return types_.nothing();
}
Result<Value> CudaLibrary::tell(Args args) {
  if (const std::string *text = args[0].as_string(); text && tell_) tell_(*text);
  return types_.nothing();
}
Result<Value> CudaLibrary::nanoseconds(Args) {
  return types_.int64(std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::steady_clock::now().time_since_epoch())
                          .count());
}

} // namespace kiln
