// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as Python holds it: its function, its options, and what was compiled of it for each list of
// argument types.
#pragma once

#include "arguments.h"
#include "convert.h"

namespace kiln::python {

using ArgumentTypes = std::vector<const ValueType *>;

struct KernelOptions {
  std::string on_gpu = "{}", on_cpu = "{}"; ///< options of the config, as read_config takes them
  bool is_debug = false;                    ///< what a kernel raises is an exception of its launch
  bool inline_ = false;
  bool is_function = false; ///< no kernel: a function alone, for code that others link with it
  std::string entry;        ///< its name there
  std::vector<LinkedFile> linked;
};

/// What was compiled for one list of types on one device.
struct Specialisation {
  ArgumentTypes types;
  int generation = 0; ///< Engine::generation
  int device = -1;    ///< the GPU's number; -1: the CPU
  Job job;
  Kernel kernel;
  std::vector<uint32_t> parameters; ///< of the kernel, by argument
};

class Dispatcher {
public:
  /// `function` is a Python function, or the name of one that a file in Julia defines.
  Dispatcher(nb::object function, nb::dict options);
  ~Dispatcher();

  nb::object function() const { return function_; }
  /// Found, or compiled on first use. Throws.
  const std::shared_ptr<Specialisation> &specialise(const ArgumentTypes &types, int device);
  /// What is to be compiled for these types: for the device, or for a GPU of an architecture ("sm_90a"),
  /// which need not be here. Throws.
  Job job(const ArgumentTypes &types, const std::string &arch);
  const std::vector<std::shared_ptr<Specialisation>> &specialisations() const { return made_; }
  /// [blocks, threads, stream, shared bytes]: the configured kernel, kept.
  PyObject *configure(PyObject *self, PyObject *index);
  const KernelOptions &options() const { return options_; }
  /// Of the World; it has been compiled.
  Value value() const { return value_; }
  bool is_julia() const { return is_julia_; }
  bool generation_differs() const { return generation_ != Engine::generation; }
  bool is_specialised_only = false; ///< no new compiles: signatures were given
  /// Binds keyword arguments and defaults.
  nb::object parameter_names;
  /// The device that launches run on which name none: -1, the CPU. Before the first of them `undecided`.
  static constexpr int undecided = -2;
  static int current_device;
  /// Throws. The GPU where there is one; else the CPU, with a warning.
  static int decide_device();
  int device() const {
    return fixed_device_ ? *fixed_device_ : current_device == undecided ? decide_device() : current_device;
  }
  void set_device(int device) { fixed_device_ = device; }

private:
  void leave_parent();
  /// Converts the function, once, and checks the number of arguments. Throws.
  Engine &prepare(size_t arguments);
  Result<Job> make_job(Engine &engine, const ArgumentTypes &types, const CompilerConfig &config);
  std::shared_ptr<Specialisation> compile(const ArgumentTypes &types, int device);
  nb::object function_;
  KernelOptions options_;
  std::optional<int> fixed_device_;
  bool is_julia_ = false;
  std::string julia_name_;
  Value value_;
  std::shared_ptr<Function> converted_;
  std::vector<std::shared_ptr<Specialisation>> made_;
  nb::dict configured_;
  int generation_ = 0; ///< Engine::generation, of what was made
};

/// The class of configured kernels, made when the module is.
PyObject *make_configured_type(PyObject *module);
/// A configured kernel of `dispatcher`. Null: a Python error is set.
PyObject *make_configured(PyObject *dispatcher, Dispatcher *held, PyObject *index);

/// Products, advice, timings, in the module.
void add_reports(nb::module_ &m, nb::class_<Dispatcher> &dispatcher);
/// Memory, streams and events, in the module.
void add_memory(nb::module_ &m);
/// The stream of a GPU's by its handle; 0: the default one. Throws.
Stream &default_stream(const Device &device, int number, uint64_t handle);

/// Waits for what was launched on GPUs. Throws what a kernel raised.
void synchronize(std::optional<uint64_t> stream_handle);
/// Whether it is what a kernel without debug=True raised, whose thread has left, as in numba.
bool is_left_out(const Error &error);

/// Throws an Error as Python's exception. With the GIL.
[[noreturn]] void raise(const Error &error);
/// The same without throwing: sets it.
void set_error(const Error &error);
template <class T> T take(Result<T> result) {
  if (!result.ok()) raise(result.error());
  return std::move(*result);
}
inline void take(Result<void> result) {
  if (!result.ok()) raise(result.error());
}

} // namespace kiln::python
