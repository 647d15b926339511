// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for Python that report on kernels: compile products, advice, timings.
#include "dispatcher.h"

#include <kiln/advise.h>
#include <kiln/cache.h>
#include <kiln/cuda_toolkit.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

namespace kiln::python {

namespace {

Engine &opened() {
  Result<Engine *> got = [] {
    nb::gil_scoped_release release;
    return Engine::get();
  }();
  return *take(std::move(got));
}

/// Converts a compute capability (90, "90a" or "sm_90a") to an architecture name. 0 and None give "", which
/// means the kernel's device. Throws.
std::string arch_of(nb::handle cc) {
  if (!cc.is_none() && !nb::isinstance<nb::int_>(cc) && !nb::isinstance<nb::str>(cc))
    throw nb::type_error("cc takes a number such as 90, or a text such as \"90a\" or \"100f\"");
  std::string text = cc.is_none() ? std::string() : nb::cast<std::string>(nb::str(cc));
  if (text.empty() || text == "0") return {};
  if (text.starts_with("sm_")) text = text.substr(3);
  if (text.find_first_not_of("0123456789af") != text.npos)
    throw nb::value_error(("there is no compute capability " + text).c_str());
  return "sm_" + text;
}

/// Compiles a kernel, and returns the product of `stage` as text or bytes. `cc`: a compute capability, for
/// which no GPU is needed.
nb::object product(Dispatcher &kernel, const ArgumentTypes &types, const std::string &stage, nb::handle cc) {
  const ArtifactKind kind = take(read_stage(stage));
  const Job job = kernel.job(types, arch_of(cc));
  Result<std::shared_ptr<const Artifact>> made = [&] {
    nb::gil_scoped_release release;
    return job.compile(kind);
  }();
  const auto artifact = take(std::move(made));
  if (kind == ArtifactKind::Object || kind == ArtifactKind::Cubin)
    return nb::bytes(artifact->bytes.data(), artifact->bytes.size());
  return nb::str(artifact->bytes.data(), artifact->bytes.size());
}

const ValueType *result_type(Dispatcher &kernel, const ArgumentTypes &types, nb::handle cc) {
  const Job job = kernel.job(types, arch_of(cc));
  Result<TypeRef> made = [&] {
    nb::gil_scoped_release release;
    return return_type(job);
  }();
  return Engine::opened()->value_type(take(std::move(made)));
}

/// Returns the reasons why a kernel is slow, as JSON.
std::string advice(Dispatcher &kernel, const ArgumentTypes &types, nb::handle cc) {
  const Job job = kernel.job(types, arch_of(cc));
  Result<AdviceReport> made = [&] {
    nb::gil_scoped_release release;
    return advise(Engine::opened()->session(), job);
  }();
  return advice_json(take(std::move(made)));
}

nb::dict resources(Dispatcher &kernel, const ArgumentTypes &types) {
  const auto held = kernel.specialise(types, kernel.device());
  nb::dict made;
  const Artifact &artifact = held->kernel.artifact();
  made["entry"] = artifact.entry;
  made["shared"] = artifact.shared_bytes;
  made["cooperative"] = artifact.needs_cooperative_launch;
  if (held->kernel.device().kind() != DeviceKind::Cuda) {
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

// ---- cache folder of the open engine, or of the engine that opens next

SessionOptions cache_options() {
  SessionOptions options;
  options.cache_dir = Engine::cache_dir;
  return options;
}

std::vector<std::string> chosen_remote_cache() {
  if (Engine::remote) return *Engine::remote;
  const char *text = std::getenv("KILN_REMOTE_CACHE");
  std::istringstream words(text ? text : "");
  return {std::istream_iterator<std::string>(words), {}};
}

size_t export_cache(const std::string &file) {
  Result<CacheExport> done = [&]() -> Result<CacheExport> {
    nb::gil_scoped_release release;
    KILN_TRY(const CacheFolder folder, CacheFolder::open(cache_options()));
    return folder.export_to(file);
  }();
  return take(std::move(done)).entries;
}

/// Imports an archive of cache entries, and returns their number. Error Machine: the cache folder cannot keep
/// all entries.
size_t import_cache(const std::string &file) {
  Result<CacheImport> done = [&]() -> Result<CacheImport> {
    nb::gil_scoped_release release;
    KILN_TRY(const CacheFolder folder, CacheFolder::open(cache_options()));
    KILN_TRY(const CacheImport read, folder.import_from(file));
    if (read.lost || read.damaged || read.is_cut_off)
      return make_error(ErrorCode::Machine,
                        "the cache folder " + folder.path() + " does not keep all compiled entries", {},
                        "the disk is full, or the folder's budget is too small (KILN_CACHE_SIZE, in MiB)");
    return read;
  }();
  return take(std::move(done)).entries;
}

} // namespace

void add_reports(nb::module_ &m, nb::class_<Dispatcher> &dispatcher) {
  dispatcher.def("_product", &product, nb::arg("types"), nb::arg("stage"), nb::arg("cc") = nb::none())
      .def("_return_type", &result_type, nb::arg("types"), nb::arg("cc"), nb::rv_policy::reference)
      .def("_advice", &advice, nb::arg("types"), nb::arg("cc") = nb::none())
      .def("_resources", &resources);
  nb::class_<TimingReport>(m, "TimingReport")
      .def("table", &TimingReport::table)
      .def("json", &TimingReport::json)
      .def("html", &TimingReport::html)
      .def_rw("title", &TimingReport::title);
  m.def("start_timings", [](bool kernels, bool events) {
    opened().session().start_timings({.trace_events = events, .kernels = kernels});
  });
  m.def("timings", [] { return opened().session().timings(); });
  m.def("is_open", [] { return Engine::opened() != nullptr; });
  m.def("use_cache_dir", [](const std::string &folder) { Engine::cache_dir = folder; });
  m.def("cache_dir", [] { return Engine::cache_dir.value_or(""); });
  m.def("use_remote_cache", [](const std::vector<std::string> &urls) { Engine::remote = urls; });
  m.def("remote_cache", [] { return Engine::remote.value_or(std::vector<std::string>()); });
  m.def(
      "chosen_cache_dir", [] { return cache_folder_path(cache_options()); },
      "The folder of this process's engine, opened or not; empty: there is none.");
  m.def("chosen_remote_cache", &chosen_remote_cache, "The stores of this process's engine.");
  m.def("export_cache", &export_cache, nb::arg("file"),
        "Writes the folder's entries to a file. Their number.");
  m.def("import_cache", &import_cache, nb::arg("file"),
        "Takes the entries of such a file into the folder. Their number.");
  m.def("add_cuda_folder", &add_cuda_folder, nb::arg("folder"), nb::arg("source"));
  m.def("flush_cache", [] {
    if (Engine *held = Engine::opened()) {
      nb::gil_scoped_release release;
      held->session().flush_cache();
    }
  });
}

} // namespace kiln::python
