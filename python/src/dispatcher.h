// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in Python: its function, its options, and its compiled code for each list of argument types.
#pragma once

#include "arguments.h"
#include "convert.h"

namespace kiln::python {

using ArgumentTypes = std::vector<const ValueType *>;

struct KernelOptions {
  std::string on_gpu = "{}", on_cpu = "{}"; ///< config options for read_config
  bool is_debug = false;                    ///< exceptions of a kernel are raised by its launch
  bool inline_ = false;
  bool is_function = false; ///< a plain function for linked code, not a kernel
  std::string entry;        ///< its name in linked code
  std::vector<LinkedFile> linked;
};

/// Code compiled for one list of types on one device.
struct Specialisation {
  ArgumentTypes types;
  int generation = 0; ///< Engine::generation
  int device = -1;    ///< GPU number; -1: the CPU
  Job job;
  Kernel kernel;
  std::vector<uint32_t> parameters; ///< parameters of the kernel, by argument
};

class Dispatcher {
public:
  /// `function`: a Python function, or the name of one defined in a Julia file.
  Dispatcher(nb::object function, nb::dict options);
  ~Dispatcher();

  nb::object function() const { return function_; }
  /// Returns cached code, or compiles it on first use. Throws.
  const std::shared_ptr<Specialisation> &specialise(const ArgumentTypes &types, int device);
  /// The job for these types, on the device or for a GPU architecture ("sm_90a"), which the machine may lack.
  /// Throws.
  Job job(const ArgumentTypes &types, const std::string &arch);
  const std::vector<std::shared_ptr<Specialisation>> &specialisations() const { return made_; }
  /// Implements kernel[blocks, threads, stream, shared bytes]. Configured kernels are cached.
  PyObject *configure(PyObject *self, PyObject *index);
  const KernelOptions &options() const { return options_; }
  /// Its value in the World, once it is compiled.
  Value value() const { return value_; }
  bool is_julia() const { return is_julia_; }
  bool generation_differs() const { return generation_ != Engine::generation; }
  bool is_specialised_only = false; ///< explicit signatures were given: compiles no others
  /// Names for binding keyword arguments and defaults.
  nb::object parameter_names;
  /// Default device of launches: a GPU, -1 for the CPU, or `undecided` before the first launch.
  static constexpr int undecided = -2;
  static int current_device;
  /// The GPU if there is one, else the CPU, with a warning. Throws.
  static int decide_device();
  int device() const {
    return fixed_device_ ? *fixed_device_ : current_device == undecided ? decide_device() : current_device;
  }
  void set_device(int device) { fixed_device_ = device; }

private:
  void leave_parent();
  /// Converts the function on first use, and checks the number of arguments. Throws.
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
  int generation_ = 0; ///< Engine::generation of the cached code
};

/// Creates the class of configured kernels, together with the module.
PyObject *make_configured_type(PyObject *module);
/// Configures a kernel of `dispatcher`. Null: a Python error is set.
PyObject *make_configured(PyObject *dispatcher, Dispatcher *held, PyObject *index);

/// Adds products, advice and timings to the module.
void add_reports(nb::module_ &m, nb::class_<Dispatcher> &dispatcher);
/// Adds memory, streams and events to the module.
void add_memory(nb::module_ &m);
/// The stream of a GPU by its handle; 0: the default stream. Throws.
Stream &default_stream(const Device &device, int number, uint64_t handle);

/// Waits for launches on GPUs. Throws a kernel's exception.
void synchronize(std::optional<uint64_t> stream_handle);
/// True for an exception of a kernel without debug=True: it only ends its thread, as in Numba.
bool is_left_out(const Error &error);

/// Throws an Error as a Python exception. Call it with the GIL.
[[noreturn]] void raise(const Error &error);
/// As raise, but only sets the Python error.
void set_error(const Error &error);
template <class T> T take(Result<T> result) {
  if (!result.ok()) raise(result.error());
  return std::move(*result);
}
inline void take(Result<void> result) {
  if (!result.ok()) raise(result.error());
}

} // namespace kiln::python
