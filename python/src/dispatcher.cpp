// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dispatcher.h"

#include <kiln/read_config.h>

namespace kiln::python {

int Dispatcher::current_device = Dispatcher::undecided;

namespace {

template <class T> T option(nb::dict options, const char *name, T otherwise) {
  if (!options.contains(name)) return otherwise;
  nb::object value = options[name];
  return value.is_none() ? otherwise : nb::cast<T>(value);
}

/// Adds the decorator's options that the JSON table of options lacks: linked files, kernel or function, entry
/// name.
CompilerConfig with_linked(CompilerConfig config, const KernelOptions &options) {
  config.linked = options.linked;
  config.kernel = !options.is_function;
  config.name = options.entry;
  return config;
}

} // namespace

Dispatcher::Dispatcher(nb::object function, nb::dict options) : function_(std::move(function)) {
  is_julia_ = nb::isinstance<nb::str>(function_);
  if (is_julia_) julia_name_ = nb::cast<std::string>(function_);
  options_.on_gpu = option(options, "on_gpu", std::string("{}"));
  options_.on_cpu = option(options, "on_cpu", std::string("{}"));
  options_.is_debug = option(options, "debug", false);
  options_.inline_ = option(options, "inline", false);
  options_.is_function = option(options, "function", false);
  options_.entry = option(options, "entry", std::string());
  if (options.contains("linked"))
    for (nb::handle each : nb::object(options["linked"])) {
      if (nb::isinstance<nb::bytes>(each)) {
        nb::bytes bytes = nb::borrow<nb::bytes>(each);
        options_.linked.push_back(take(
            linked_file("linked code", std::string(static_cast<const char *>(bytes.data()), bytes.size()))));
      } else {
        options_.linked.push_back(take(read_linked_file(nb::cast<std::string>(each))));
      }
    }
}

Dispatcher::~Dispatcher() = default;

Engine &Dispatcher::prepare(size_t arguments) {
  Result<Engine *> got = [] {
    nb::gil_scoped_release release;
    return Engine::get();
  }();
  Engine &engine = *take(std::move(got));
  if (generation_ != Engine::generation) leave_parent();
  if (!converted_ && !is_julia_) {
    MethodHints hints;
    hints.inline_ = options_.inline_;
    converted_ = take(convert_function(engine, function_, !options_.is_function, hints));
  }
  const size_t count = is_julia_ ? arguments : converted_->parameters.size();
  if (arguments != count && !converted_->is_vararg) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zu arguments, not %zu", converted_->name.str().c_str(), count,
                 arguments);
    throw nb::python_error();
  }
  return engine;
}

Result<Job> Dispatcher::make_job(Engine &engine, const ArgumentTypes &types, const CompilerConfig &config) {
  Value value;
  if (is_julia_) {
    KILN_TRY(value, evaluate(engine.session(), "kernel", julia_name_));
  } else {
    const auto function = converted_;
    KILN_CHECK(engine.define(function));
    value = function->value;
  }
  std::vector<TypeRef> in_world;
  for (const ValueType *each : types) {
    KILN_TRY(TypeRef type, engine.type(*each, is_julia_));
    in_world.push_back(type);
  }
  return engine.session().job(value, in_world, config);
}

std::shared_ptr<Specialisation> Dispatcher::compile(const ArgumentTypes &types, int device) {
  Engine &engine = prepare(types.size());
  auto made = std::make_shared<Specialisation>();
  made->types = types;
  made->device = device;
  made->generation = Engine::generation;
  Result<void> built = [&]() -> Result<void> {
    nb::gil_scoped_release release;
    Device on = engine.cpu();
    if (device >= 0) {
      KILN_TRY(on, engine.gpu(device));
    }
    KILN_TRY(const CompilerConfig config,
             read_config(engine.session(), on.is_gpu() ? options_.on_gpu : options_.on_cpu, on));
    KILN_TRY(made->job, make_job(engine, types, with_linked(config, options_)));
    KILN_TRY(made->kernel, made->job.prepare(on));
    for (const auto &parameter : made->kernel.artifact().parameters)
      made->parameters.push_back(parameter.argument - 1); // argument 0 is the function
    return {};
  }();
  take(std::move(built));
  return made;
}

Job Dispatcher::job(const ArgumentTypes &types, const std::string &arch) {
  if (arch.empty()) return specialise(types, device())->job;
  Engine &engine = prepare(types.size());
  const std::string more = options_.on_gpu == "{}" ? "}" : ", " + options_.on_gpu.substr(1);
  const CompilerConfig config = take(read_config("{\"target\": \"ptx\", \"arch\": \"" + arch + "\"" + more));
  Result<Job> made = [&] {
    nb::gil_scoped_release release;
    return make_job(engine, types, with_linked(config, options_));
  }();
  return take(std::move(made));
}

const std::shared_ptr<Specialisation> &Dispatcher::specialise(const ArgumentTypes &types, int device) {
  if (generation_ != Engine::generation) leave_parent();
  for (const auto &each : made_)
    if (each->device == device && each->types == types) return each;
  auto made = compile(types, device);
  for (const auto &each : made_) // another thread was faster
    if (each->device == device && each->types == types) return each;
  made_.push_back(std::move(made));
  return made_.back();
}

/// Drops the compiled code in a child after fork. The objects are leaked, because they belong to the session
/// of the parent process.
void Dispatcher::leave_parent() {
  static auto *kept = new std::vector<std::shared_ptr<Specialisation>>;
  kept->insert(kept->end(), made_.begin(), made_.end());
  made_.clear();
  if (converted_) new std::shared_ptr<Function>(converted_);
  converted_.reset();
  generation_ = Engine::generation;
}

int Dispatcher::decide_device() {
  const bool has_gpu = [] {
    nb::gil_scoped_release release;
    auto engine = Engine::get_with_gpus();
    if (!engine.ok()) return false;
    auto found = (*engine)->session().gpus();
    return found.ok() && !found->empty();
  }();
  current_device = has_gpu ? 0 : -1;
  if (!has_gpu) hooks().attr("warn_of_no_gpu")();
  return current_device;
}

PyObject *Dispatcher::configure(PyObject *self, PyObject *index) {
  if (PyObject *found = PyDict_GetItemWithError(configured_.ptr(), index)) return Py_NewRef(found);
  if (PyErr_Occurred()) PyErr_Clear(); // an unhashable index: not cached
  PyObject *made = make_configured(self, this, index);
  if (made && PyDict_SetItem(configured_.ptr(), index, made)) PyErr_Clear();
  return made;
}

} // namespace kiln::python
