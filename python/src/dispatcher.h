// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class Dispatcher: a Python kernel with its options, and its compiled code for each list of argument types.
#pragma once

#include "arguments.h"
#include "convert.h"

namespace kiln::python {

using ArgumentTypes = std::vector<const ValueType *>;

struct KernelOptions {
  std::string on_gpu = "{}", on_cpu = "{}"; ///< config options for read_config
  bool is_debug = false;                    ///< debug=True: a launch raises its kernel's exceptions
  bool inline_ = false;
  bool is_function = false; ///< compiled as a plain function for other code to call, not as a kernel
  std::string entry;        ///< symbol name of the compiled function, if not empty
  std::vector<LinkedFile> linked;
};

/// A kernel's code for one list of argument types on one device.
struct Specialisation {
  ArgumentTypes types;
  int generation = 0; ///< Engine::generation
  int device = -1;    ///< number in Python (engine.h); -1: the CPU
  Job job;
  Kernel kernel;
  std::vector<uint32_t> parameters; ///< argument index of each parameter that the kernel takes
};

class Dispatcher {
public:
  /// `function`: a Python function, or the name of a function that a Julia file defines.
  Dispatcher(nb::object function, nb::dict options);
  ~Dispatcher();

  nb::object function() const { return function_; }
  /// Returns the code for these argument types on a device, and compiles it on first use. Throws.
  const std::shared_ptr<Specialisation> &specialise(const ArgumentTypes &types, int device);
  /// Returns the compile job for these types. `arch`: a GPU architecture ("sm_90a"), also one that the
  /// machine lacks; empty: the kernel's device. Throws.
  Job job(const ArgumentTypes &types, const std::string &arch);
  const std::vector<std::shared_ptr<Specialisation>> &specialisations() const { return made_; }
  /// Implements kernel[blocks, threads, stream, shared bytes]: returns a configured kernel, cached by
  /// `index`.
  PyObject *configure(PyObject *self, PyObject *index);
  const KernelOptions &options() const { return options_; }
  bool is_julia() const { return is_julia_; }
  bool generation_differs() const { return generation_ != Engine::generation; }
  bool is_specialised_only = false; ///< the decorator gave signatures: compiles no other types
  /// Parameter names, to bind keyword arguments and defaults.
  nb::object parameter_names;
  /// Default device of launches: a number in Python (engine.h), -1 for the CPU, or `undecided` before the
  /// first launch.
  static constexpr int undecided = -2;
  static int current_device;
  /// Sets the default device of launches: GPU 0 if there is one, else the CPU, with a warning. Throws.
  static int decide_device();
  int device() const {
    return fixed_device_ ? *fixed_device_ : current_device == undecided ? decide_device() : current_device;
  }
  void set_device(int device) { fixed_device_ = device; }

private:
  void leave_parent();
  /// Converts the Python function on first use, and checks the number of arguments of a call. Throws.
  Engine &prepare(size_t arguments);
  Result<Job> make_job(Engine &engine, const ArgumentTypes &types, const CompilerConfig &config);
  std::shared_ptr<Specialisation> compile(const ArgumentTypes &types, int device);
  nb::object function_;
  KernelOptions options_;
  std::optional<int> fixed_device_;
  bool is_julia_ = false;
  std::string julia_name_;
  std::shared_ptr<Function> converted_;
  std::vector<std::shared_ptr<Specialisation>> made_;
  nb::dict configured_;
  int generation_ = 0; ///< Engine::generation of the cached code
};

/// Creates the Python class of configured kernels, `kernel[blocks, threads]`, and adds it to the module.
PyObject *make_configured_type(PyObject *module);
/// Makes the configured kernel `dispatcher[index]`. `held`: the C++ object in `dispatcher`. Null: a Python
/// error is set.
PyObject *make_configured(PyObject *dispatcher, Dispatcher *held, PyObject *index);

/// Adds the functions for compile products, advice and timings to the Python module.
void add_reports(nb::module_ &m, nb::class_<Dispatcher> &dispatcher);
/// Adds the functions for GPU memory, streams and events to the Python module.
void add_memory(nb::module_ &m);
/// Returns the stream of GPU `number` with this CUDA handle. Handle 0: the GPU's default stream. Throws.
Stream &default_stream(const Device &device, int number, uint64_t handle);

/// Waits for the launches in a GPU stream, or in all streams if no handle is given. Throws a kernel's
/// exception.
void synchronize(std::optional<uint64_t> stream_handle);
/// True if the error is the exception of a kernel without debug=True. Such an exception only ends its GPU
/// thread, as in Numba.
bool is_left_out(const Error &error);

/// Throws an Error as a Python exception. Call it with the GIL.
[[noreturn]] void raise(const Error &error);
/// Sets an Error as Python's current exception, without a C++ throw. Call it with the GIL.
void set_error(const Error &error);
template <class T> T take(Result<T> result) {
  if (!result.ok()) raise(result.error());
  return std::move(*result);
}
inline void take(Result<void> result) {
  if (!result.ok()) raise(result.error());
}

} // namespace kiln::python
