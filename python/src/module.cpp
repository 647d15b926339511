// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension module kiln._kiln.
#include "dispatcher.h"
#include "dlpack.h"

#include <kiln/opencl.h>

namespace kiln::python {

namespace {

PyObject *dispatcher_subscript(PyObject *self, PyObject *index) {
  try {
    return nb::inst_ptr<Dispatcher>(self)->configure(self, index);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}
int dispatcher_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(nb::inst_ptr<Dispatcher>(self)->function().ptr());
  return 0;
}
PyType_Slot dispatcher_slots[] = {{Py_mp_subscript, reinterpret_cast<void *>(dispatcher_subscript)},
                                  {Py_tp_traverse, reinterpret_cast<void *>(dispatcher_traverse)},
                                  {0, nullptr}};

Engine &open_engine(bool starts_gpus = false) {
  Result<Engine *> got = [&] {
    nb::gil_scoped_release release;
    return starts_gpus ? Engine::get_with_gpus() : Engine::get();
  }();
  return *take(std::move(got));
}

} // namespace

NB_MODULE(_kiln, m) {
  // Rejects a second interpreter before any class is created, because new classes would replace those of the
  // first. From 3.12 on, Python itself rejects it.
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
    throw nb::import_error(
        "kiln serves one interpreter of a process, the first: its session and its types are "
        "the process's");
  kiln::avoid_opencl_driver_faults();
  set_hint_door(HintDoor::Python);
  nb::set_leak_warnings(false); // no leaks: kernels live as long as the modules that define them
  m.doc() = "Kiln for Python: the part in C++.";
  m.attr("ConfiguredKernel") = nb::steal(Py_NewRef(make_configured_type(m.ptr())));

  m.def("config_options", [] {
    nb::list all;
    for (const OptionInfo &each : config_options())
      all.append(nb::make_tuple(std::string(each.name), std::string(each.target), each.is_flag));
    return all;
  });
  m.def("unknown_option", [](const std::string &name, const std::vector<std::string> &known) {
    return unknown_option_message(name, known);
  });

  nb::class_<Dispatcher> dispatcher(m, "Dispatcher", nb::type_slots(dispatcher_slots),
                                    nb::is_weak_referenceable(), nb::dynamic_attr());
  dispatcher.def(nb::init<nb::object, nb::dict>())
      .def_prop_ro("py_func", &Dispatcher::function)
      .def_rw("specialized", &Dispatcher::is_specialised_only)
      .def("_set_device", &Dispatcher::set_device)
      .def("_set_parameters",
           [](Dispatcher &self, nb::object names) { self.parameter_names = std::move(names); })
      .def("_device", &Dispatcher::device)
      .def("_compile",
           [](Dispatcher &self, const ArgumentTypes &types) { self.specialise(types, self.device()); })
      .def("_specialisations", [](Dispatcher &self) {
        nb::list all;
        for (const auto &each : self.specialisations())
          all.append(nb::cast(each->types, nb::rv_policy::reference));
        return all;
      });

  add_types(m);
  add_reports(m, dispatcher);
  add_memory(m);
  dlpack::add(m);
  m.def("register_type", &register_type, nb::arg("object"), nb::arg("type"));
  m.def("set_array_class", &set_array_class);
  m.def("register", &register_object, nb::arg("object"), nb::arg("kind"), nb::arg("name"),
        nb::arg("parameters") = std::vector<std::string>());
  m.def("set_hooks", [](nb::object module) { hooks() = std::move(module); });
  m.def(
      "type_of_value",
      [](nb::handle object) {
        PackedArguments one;
        if (!one.add(object.ptr())) throw nb::python_error();
        return one.types()[0];
      },
      nb::arg("value"), nb::rv_policy::reference);
  m.def(
      "synchronize",
      [](nb::object handle) {
        synchronize(handle.is_none() ? std::optional<uint64_t>() : std::optional(nb::cast<uint64_t>(handle)));
      },
      nb::arg("handle") = nb::none());
  m.def("current_device", [] {
    return Dispatcher::current_device == Dispatcher::undecided ? Dispatcher::decide_device()
                                                               : Dispatcher::current_device;
  });
  m.def("set_current_device", [](int device) { Dispatcher::current_device = device; });
  m.def("gpu_count", [] {
    Engine &held = open_engine();
    nb::gil_scoped_release release;
    auto found = held.session().gpus();
    return found.ok() ? int(found->size()) : 0;
  });
  m.def("device_count", [](const std::string &kind) {
    const auto name = take(read_device_name(kind));
    Engine &held = open_engine(name.kind == DeviceKind::Cuda);
    nb::gil_scoped_release release;
    auto found = held.session().devices(name.kind);
    return found.ok() ? int(found->size()) : 0;
  });
  m.def("load_julia", [](const std::string &path, const std::string &text) {
    Engine &held = open_engine();
    Result<LoadSummary> loaded = [&] {
      nb::gil_scoped_release release;
      return held.session().load(path, text);
    }();
    return take(std::move(loaded)).notes;
  });
  // At exit, a thread that still compiles would use LLVM after its static data are destroyed.
  m.def("wait_for_background", [] {
    if (Engine *held = Engine::opened()) {
      nb::gil_scoped_release release;
      held->session().wait_for_background();
    }
  });
  m.def("after_fork", [] {
    Engine::forget_after_fork();
    forget_functions();
  });
}

} // namespace kiln::python
