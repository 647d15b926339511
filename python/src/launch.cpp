// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the launch kernel[blocks, threads, stream, shared](...), from the call to the device. This
// code's time is the cost of a launch, so it uses Python's C API directly: a vectorcall, arguments packed
// into words, one look-up by their types.
#include "dispatcher.h"
#include "interrupts.h"

#include <algorithm>
#include <structmember.h>

namespace kiln::python {

namespace {

struct Configured {
  PyObject head;
  vectorcallfunc vectorcall;
  PyObject *dispatcher; ///< owned
  Dispatcher *held;     ///< owned by `dispatcher`
  PyObject *stream;     ///< owned; null: the default stream
  uint64_t stream_handle;
  LaunchShape shape;
  LaunchOptions *options; ///< owned; null: the default options
  Specialisation *last;   ///< of the previous launch
  Stream *last_stream;    ///< its stream
  uint64_t last_key;      ///< its key in streams()
  bool has_warned;        ///< the warning about arrays in host memory was given
};

PyTypeObject *configured_type = nullptr;

/// Kiln's streams by device and native handle, at stable addresses. Guarded by the GIL.
std::unordered_map<uint64_t, Stream> &streams() {
  static auto *all = new std::unordered_map<uint64_t, Stream>;
  return *all;
}
uint64_t stream_key(int device, uint64_t handle) { return handle * 64 + uint64_t(device); }
} // namespace

Stream &default_stream(const Device &device, int number, uint64_t handle) {
  auto &held = streams()[stream_key(number, handle)];
  if (held) return held;
  Session &session = Engine::opened()->session();
  // CUDA's default stream has the handle 0; other drivers have no default stream.
  const bool has_default = device.kind() != DeviceKind::OpenCl;
  held = take(handle || has_default ? session.stream(device, reinterpret_cast<void *>(handle))
                                    : session.stream(device));
  return held;
}

namespace {

Stream &stream_of(Configured &self, Specialisation &on, const PackedArguments &arguments) {
  const uint64_t handle = self.stream ? self.stream_handle : arguments.stream;
  const uint64_t key = stream_key(on.device, handle);
  if (!self.last_stream || self.last_key != key) {
    self.last_stream = &default_stream(on.kernel.device(), on.device, handle);
    self.last_key = key;
  }
  return *self.last_stream;
}

Result<void> run(Engine &engine, Configured &self, Specialisation &on, const PackedArguments &arguments) {
  const void *pointers[PackedArguments::most];
  size_t count = 0;
  for (uint32_t argument : on.parameters) pointers[count++] = arguments.at(argument);
  const std::span<const void *const> all(pointers, count);
  LaunchOptions options = self.options ? *self.options : LaunchOptions();
  if (on.device < 0) {
    const InterruptibleLaunch interruptible;
    options.stop = interruptible.stop();
    return engine.session().launch(on.kernel, self.shape, all, options);
  }
  return stream_of(self, on, arguments).launch(on.kernel, self.shape, all, options);
}

/// Runs a kernel on a GPU with arrays in host memory: copies the arrays there, and back after the kernel.
Result<void> run_with_copies(Engine &engine, Configured &self, Specialisation &on,
                             PackedArguments &arguments) {
  Stream &stream = stream_of(self, on, arguments);
  nb::gil_scoped_release release;
  HostMirror mirror(stream);
  for (const auto &array : arguments.host_arrays())
    mirror.add({reinterpret_cast<std::byte *>(array.low), size_t(array.end - array.low)}, array.is_read_only);
  KILN_CHECK(mirror.upload());
  for (const auto &array : arguments.host_arrays()) {
    uint64_t &word = arguments.word(array.word);
    word = mirror.device_address(word).value_or(word);
  }
  KILN_CHECK(run(engine, self, on, arguments));
  KILN_CHECK(mirror.download());
  return stream.synchronize();
}

bool has_debugged = false; ///< a debug=True kernel has run: kernels' exceptions reach the host

PyObject *launch(Configured *self, PyObject *const *args, size_t count) {
  static thread_local PackedArguments kept;
  PackedArguments arguments = std::move(kept); // reuses its memory; a nested launch finds it empty
  arguments.clear();
  arguments.is_julia = self->held->is_julia();
  if (count > PackedArguments::most) {
    PyErr_Format(PyExc_TypeError, "a kernel takes at most %zu arguments, not %zu", PackedArguments::most,
                 count);
    return nullptr;
  }
  for (size_t i = 0; i < count; i++)
    if (!arguments.add(args[i])) return nullptr;
  if (!arguments.host_arrays().empty() && !self->has_warned) {
    self->has_warned = true;
    hooks().attr("warn_of_copies")(); // throws if warnings are errors
  }
  Dispatcher &kernel = *self->held;
  const int device = kernel.device();
  Specialisation *on = self->last;
  if (!on || on->device != device || on->generation != Engine::generation || on->types != arguments.types()) {
    if (kernel.is_specialised_only) {
      std::shared_ptr<Specialisation> found;
      for (const auto &each : kernel.specialisations())
        if (each->device == device && each->generation == Engine::generation &&
            each->types == arguments.types())
          found = each;
      if (!found && kernel.generation_differs()) found = kernel.specialise(arguments.types(), device);
      if (!found) {
        nb::list all;
        for (size_t i = 0; i < count; i++) all.append(nb::borrow(args[i]));
        return nb::object(hooks().attr("launch_converted")(nb::borrow(reinterpret_cast<PyObject *>(self)),
                                                           nb::tuple(all)))
            .release()
            .ptr();
      }
      on = found.get();
    } else {
      on = kernel.specialise(arguments.types(), device).get();
    }
    self->last = on;
  }
  has_debugged |= kernel.options().is_debug;
  Engine &engine = *Engine::opened();
  Result<void> ran = [&]() -> Result<void> {
    if (device >= 0 && arguments.host_arrays().empty()) {
      if (!kernel.options().is_debug) return run(engine, *self, *on, arguments); // does not wait
      KILN_CHECK(
          run(engine, *self, *on, arguments)); // the launch raises the kernel's exceptions, as in Numba
      Stream &stream = stream_of(*self, *on, arguments);
      nb::gil_scoped_release release;
      return stream.synchronize();
    }
    if (device >= 0) return run_with_copies(engine, *self, *on, arguments);
    nb::gil_scoped_release release;
    return run(engine, *self, *on, arguments);
  }();
  kept = std::move(arguments);
  if (!ran.ok()) {
    const Error &error = ran.error();
    if (error.code() == ErrorCode::PythonException && !kernel.options().is_debug)
      Py_RETURN_NONE; // the kernel's thread has ended, as in Numba
    if (!set_interrupt(error)) set_error(error);
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyObject *configured_call(PyObject *self, PyObject *const *args, size_t flags, PyObject *names) {
  auto *configured = reinterpret_cast<Configured *>(self);
  try {
    const size_t count = size_t(PyVectorcall_NARGS(flags));
    const nb::object &wanted = configured->held->parameter_names;
    const size_t given = count + (names ? size_t(PyTuple_Size(names)) : 0);
    const bool is_plain = !names && (!wanted.is_valid() || count == nb::len(wanted));
    if (is_plain) return launch(configured, args, count);
    // A call with keywords or defaults: Python binds the arguments.
    nb::list positional;
    for (size_t i = 0; i < count; i++) positional.append(nb::borrow(args[i]));
    nb::dict keywords;
    for (size_t i = count; i < given; i++)
      keywords[nb::handle(PyTuple_GetItem(names, Py_ssize_t(i - count)))] = nb::borrow(args[i]);
    nb::tuple bound = nb::cast<nb::tuple>(
        hooks().attr("bind")(configured->held->function(), nb::tuple(positional), keywords));
    std::vector<PyObject *> all;
    for (size_t i = 0; i < bound.size(); i++) all.push_back(PyTuple_GetItem(bound.ptr(), Py_ssize_t(i)));
    return launch(configured, all.data(), all.size());
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

void configured_dealloc(PyObject *self) {
  auto *configured = reinterpret_cast<Configured *>(self);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_CLEAR(configured->dispatcher);
  Py_CLEAR(configured->stream);
  delete configured->options;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}
int configured_traverse(PyObject *self, visitproc visit, void *arg) {
  auto *configured = reinterpret_cast<Configured *>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(configured->dispatcher);
  Py_VISIT(configured->stream);
  return 0;
}
int configured_clear(PyObject *self) {
  auto *configured = reinterpret_cast<Configured *>(self);
  Py_CLEAR(configured->dispatcher);
  Py_CLEAR(configured->stream);
  return 0;
}

PyObject *configured_attribute(PyObject *self, PyObject *name) { return PyObject_GenericGetAttr(self, name); }

/// Reads the grid or block size: an integer, or a sequence of one to three. `what`: its name for the message.
bool read_dims(PyObject *object, const char *what, std::array<uint32_t, 3> &into) {
  into = {1, 1, 1};
  const bool is_sequence = PyTuple_Check(object) || PyList_Check(object);
  const Py_ssize_t count = is_sequence ? PySequence_Size(object) : 1;
  if (count < 1 || count > 3) {
    PyObject *list = PySequence_List(object);
    PyErr_Format(PyExc_ValueError, "%s must be a sequence of 1, 2 or 3 integers, got %R; or one integer",
                 what, list);
    Py_XDECREF(list);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *item = is_sequence ? PySequence_GetItem(object, i) : Py_NewRef(object);
    PyObject *number = item ? PyNumber_Index(item) : nullptr;
    Py_XDECREF(item);
    if (!number) {
      PyErr_Clear();
      PyObject *list = is_sequence ? PySequence_List(object) : PyList_New(0);
      if (!is_sequence) PyList_Append(list, object);
      PyErr_Format(PyExc_TypeError, "%s must be a sequence of integers, got %R; or one integer", what, list);
      Py_XDECREF(list);
      return false;
    }
    const long long value = PyLong_AsLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred()) return false;
    if (value < 0 || value > 0x7fffffffll) {
      PyErr_Format(PyExc_ValueError, "%s has %lld in dimension %zd: it has to be from 0 to 2147483647", what,
                   value, i);
      return false;
    }
    into[size_t(i)] = uint32_t(value);
  }
  return true;
}

} // namespace

void synchronize(std::optional<uint64_t> handle) {
  std::vector<Stream *> wanted; // stable while others create streams
  for (auto &[key, stream] : streams())
    if (!handle || key / 64 == *handle) wanted.push_back(&stream);
  for (Stream *stream : wanted) {
    Result<void> done = [&] {
      nb::gil_scoped_release release;
      return stream->synchronize();
    }();
    if (!done.ok() && !is_left_out(done.error())) raise(done.error());
  }
}

bool is_left_out(const Error &error) { return !has_debugged && error.code() == ErrorCode::PythonException; }

PyObject *make_configured(PyObject *dispatcher, Dispatcher *held, PyObject *index) {
  if (!PyTuple_Check(index) || PyTuple_Size(index) < 2 || PyTuple_Size(index) > 4) {
    PyErr_SetString(
        PyExc_ValueError,
        "must specify at least the griddim and blockdim: kernel[blocks, threads, stream, shared_bytes](...)");
    return nullptr;
  }
  LaunchShape shape;
  if (!read_dims(PyTuple_GetItem(index, 0), "griddim", shape.blocks) ||
      !read_dims(PyTuple_GetItem(index, 1), "blockdim", shape.threads))
    return nullptr;
  PyObject *stream = PyTuple_Size(index) > 2 ? PyTuple_GetItem(index, 2) : nullptr;
  uint64_t handle = 0;
  try {
    if (stream && stream != Py_None && !(PyLong_CheckExact(stream) && PyLong_AsLong(stream) == 0))
      handle = nb::cast<uint64_t>(hooks().attr("stream_handle")(nb::handle(stream)));
    else
      stream = nullptr;
    if (PyTuple_Size(index) > 3)
      shape.shared_bytes = nb::cast<uint64_t>(nb::handle(PyTuple_GetItem(index, 3)));
    const uint64_t blocks = uint64_t(shape.blocks[0]) * shape.blocks[1] * shape.blocks[2];
    if (blocks < 128) hooks().attr("warn_of_grid")(blocks); // Numba's limit
  } catch (nb::python_error &error) {
    error.restore();
    return nullptr;
  } catch (const std::exception &) {
    PyErr_SetString(PyExc_TypeError, "the bytes of shared memory have to be an integer that is not negative");
    return nullptr;
  }
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(configured_type, Py_tp_alloc));
  PyObject *made = allocate(configured_type, 0);
  if (!made) return nullptr;
  auto *configured = reinterpret_cast<Configured *>(made);
  configured->vectorcall = configured_call;
  configured->dispatcher = Py_NewRef(dispatcher);
  configured->held = held;
  configured->stream = Py_XNewRef(stream);
  configured->stream_handle = handle;
  configured->shape = shape;
  configured->options = nullptr;
  configured->last = nullptr;
  configured->last_stream = nullptr;
  configured->has_warned = false;
  return made;
}

PyObject *make_configured_type(PyObject *module) {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(Configured, vectorcall), READONLY, nullptr},
      {"dispatcher", T_OBJECT_EX, offsetof(Configured, dispatcher), READONLY, nullptr},
      {"stream", T_OBJECT, offsetof(Configured, stream), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                                {Py_tp_dealloc, reinterpret_cast<void *>(configured_dealloc)},
                                {Py_tp_traverse, reinterpret_cast<void *>(configured_traverse)},
                                {Py_tp_clear, reinterpret_cast<void *>(configured_clear)},
                                {Py_tp_getattro, reinterpret_cast<void *>(configured_attribute)},
                                {Py_tp_members, members},
                                {0, nullptr}};
  static PyType_Spec spec = {"kiln._kiln.ConfiguredKernel", sizeof(Configured), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, slots};
  (void)module;
  configured_type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  return reinterpret_cast<PyObject *>(configured_type);
}

} // namespace kiln::python
