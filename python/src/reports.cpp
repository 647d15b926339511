// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel was made into, what makes it slow, where the time went: for Python.
#include "dispatcher.h"

#include <kiln/advise.h>
#include <kiln/cuda_toolkit.h>

namespace kiln::python {

namespace {

Engine &opened() {
  Result<Engine *> got = [] {
    nb::gil_scoped_release release;
    return Engine::get();
  }();
  return *take(std::move(got));
}

/// A product of a kernel, for a GPU of an architecture too, which needs none.
nb::object product(Dispatcher &kernel, const std::vector<uint32_t> &codes, const std::string &stage, int sm) {
  const ArtifactKind kind = take(read_stage(stage));
  const Job job = kernel.job(codes, sm);
  Result<std::shared_ptr<const Artifact>> made = [&] {
    nb::gil_scoped_release release;
    return job.compile(kind);
  }();
  const auto artifact = take(std::move(made));
  if (kind == ArtifactKind::Object || kind == ArtifactKind::Cubin)
    return nb::bytes(artifact->bytes.data(), artifact->bytes.size());
  return nb::str(artifact->bytes.data(), artifact->bytes.size());
}

std::string return_type(Dispatcher &kernel, const std::vector<uint32_t> &codes, int sm) {
  const Job job = kernel.job(codes, sm);
  Result<std::string> made = [&] {
    nb::gil_scoped_release release;
    return job.return_type();
  }();
  return take(std::move(made));
}

/// The advice on a kernel as JSON.
std::string advice(Dispatcher &kernel, const std::vector<uint32_t> &codes, int sm) {
  const Job job = kernel.job(codes, sm);
  Result<AdviceReport> made = [&] {
    nb::gil_scoped_release release;
    return advise(Engine::opened()->session(), job);
  }();
  return advice_json(take(std::move(made)));
}

nb::dict resources(Dispatcher &kernel, const std::vector<uint32_t> &codes) {
  const auto held = kernel.specialise(codes, kernel.device());
  nb::dict made;
  const Artifact &artifact = held->kernel.artifact();
  made["entry"] = artifact.entry;
  made["shared"] = artifact.shared_bytes;
  made["cooperative"] = artifact.needs_cooperative_launch;
  if (held->device < 0) {
    made["registers"] = 0, made["local"] = 0, made["constant"] = 0;
    return made;
  }
  Result<std::shared_ptr<const Artifact>> cubin = [&] {
    nb::gil_scoped_release release;
    return held->job.compile(ArtifactKind::Cubin);
  }();
  const auto done = take(std::move(cubin));
  made["registers"] = done->resources.registers;
  made["local"] = done->resources.stack_bytes;
  made["constant"] = done->resources.constant_bytes;
  return made;
}

} // namespace

void add_reports(nb::module_ &m, nb::class_<Dispatcher> &dispatcher) {
  dispatcher.def("_product", &product, nb::arg("codes"), nb::arg("stage"), nb::arg("sm") = 0)
      .def("_return_type", &return_type, nb::arg("codes"), nb::arg("sm"))
      .def("_advice", &advice, nb::arg("codes"), nb::arg("sm") = 0)
      .def("_resources", &resources);
  nb::class_<TimingReport>(m, "TimingReport")
      .def("table", &TimingReport::table)
      .def("json", &TimingReport::json)
      .def("html", &TimingReport::html)
      .def_rw("title", &TimingReport::title);
  m.def("start_timings", [] { opened().session().start_timings(); });
  m.def("timings", [] { return opened().session().timings(); });
  m.def("is_open", [] { return Engine::opened() != nullptr; });
  m.def("use_cache_dir", [](const std::string &folder) { Engine::cache_dir = folder; });
  m.def("cache_dir", [] { return Engine::cache_dir.value_or(""); });
  m.def("add_cuda_folder", &add_cuda_folder, nb::arg("folder"), nb::arg("source"));
  m.def("flush_cache", [] {
    if (Engine *held = Engine::opened()) {
      nb::gil_scoped_release release;
      held->session().flush_cache();
    }
  });
}

} // namespace kiln::python
