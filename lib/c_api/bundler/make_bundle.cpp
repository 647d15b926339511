// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_bundle.h: converts a job list and options to C++, and returns the bytes of the bundle.
#include "c_bundler.h"

#include <kiln/bundle_writer.h>
#include <kiln/c_bundle.h>

using namespace kiln;
using namespace kiln::c;

namespace {

Result<BundleWriterOptions> read_options(const kiln_bundle_writer_options *given) {
  BundleWriterOptions options;
  if (!given) return options;
  KILN_TRY(const kiln_bundle_writer_options read, read_struct(given, "kiln_bundle_writer_options"));
  KILN_TRY(options.session, read_session_options(read.session));
  options.threads = read.threads;
  options.wrappers_namespace = text_or_empty(read.wrappers_namespace);
  options.file_name = text_or_empty(read.file_name);
  return options;
}

Result<void> report_of(const WrittenBundle &made, kiln_bundle_report *report) {
  if (!report) return {};
  return write_struct(report,
                      {.struct_size = 0,
                       .kernels = made.kernels,
                       .cpu_images = made.cpu_images,
                       .cubins = made.cubins,
                       .ptx_texts = made.ptx_texts,
                       .not_assembled = made.not_assembled,
                       .changed = made.changed.size(),
                       .spirv_modules = made.spirv_modules},
                      "kiln_bundle_report");
}

} // namespace

extern "C" {

int kiln_make_bundle(const kiln_job_list *list, const kiln_bundle_writer_options *options, char **bytes,
                     size_t *size, char **wrappers, kiln_bundle_report *report, kiln_error **each,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (wrappers) *wrappers = nullptr;
    KILN_OUT("kiln_make_bundle", bytes);
    KILN_OUT("kiln_make_bundle", size);
    KILN_PIN(JobListObject, object, list);
    PartErrors errors(each, object->value.jobs.size());
    KILN_CHECK(check_out(report, "kiln_bundle_report"));
    if (object->value.jobs.empty()) return usage_error("kiln_make_bundle: the list has no job");
    KILN_TRY(const BundleWriterOptions wanted, read_options(options));
    KILN_TRY(WrittenBundle made, make_bundle(object->value.jobs, wanted));
    KILN_CHECK(report_of(made, report));
    for (PrecompileReport::Failure &failure : made.failures)
      errors.add(failure.job, std::move(failure.error));
    KILN_CHECK(errors.finish());
    KILN_CHECK(give_text(bytes, made.bytes));
    if (wrappers && !made.wrappers.empty())
      if (Result<void> given = give_text(wrappers, made.wrappers); !given.ok()) {
        kiln_text_free(std::exchange(*bytes, nullptr));
        return given;
      }
    *size = made.bytes.size();
    return {};
  });
}

int kiln_cpp_name(const char *name, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_cpp_name", text);
    KILN_NOT_NULL("kiln_cpp_name", name);
    return give_text(text, cpp_name(name));
  });
}
}
