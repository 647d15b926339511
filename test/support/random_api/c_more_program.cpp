// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of CProgram against kiln/c_compile.h, c_cache.h, c_tools.h and c_device.h, and calls on values.
#include "c_program.h"

#include <kiln/c_cache.h>
#include <kiln/c_compile.h>
#include <kiln/c_device.h>
#include <kiln/c_tools.h>
#include <kiln/c_types.h>

#include <limits>

namespace kiln::fuzz {

namespace {

const std::vector<const char *> more_calls{"scale(CuDeviceVector{Float32,1}, Float32)", "empty()",
                                           "nowhere(Int64)", "", nullptr};
const std::vector<const char *> more_options{
    nullptr, "{}", R"({"O": 0})", R"({"target": "ptx"})", "{", R"({"kernel": false})"};
const std::vector<const char *> more_products{nullptr, "asm", "typed", "obj", "soup", ""};
const std::vector<const char *> more_paths{nullptr, "", "/no/such/folder/file", "/dev/null"};
const std::vector<double> more_seconds{0, 0.001, -1, 10, 1e300, std::numeric_limits<double>::quiet_NaN()};
const std::vector<const char *> more_expressions{
    "1",        "(1, 2.5)", "[1, 2, 3]", "let a = 2; x -> a * x; end", "nothing", "Int64", ":s",
    "\"text\"", "+",        "1 +"};
const std::vector<const char *> more_records{"a", "", nullptr};

void heard(const kiln_artifact *artifact, const kiln_error *failure, void *) {
  (void)kiln_artifact_entry(artifact);
  (void)kiln_error_text(failure);
}
void found(const char *, const char *, void *) {}
void explained(const kiln_folder_explanation *, void *) {}
void loaded(int, const char *, void *) {}

} // namespace

void CProgram::use_more() {
  switch (d_.below(4)) {
  case 0: return use_futures();
  case 1: return use_values();
  case 2: return use_lists();
  default: return use_tools();
  }
}

kiln_compile_request CProgram::request() {
  kiln_compile_request request = {};
  request.struct_size = size_of(sizeof request);
  request.call = d_.of(more_calls);
  request.options_json = d_.of(more_options);
  request.product = d_.of(more_products);
  if (d_.below(4) == 0) {
    request.job = any<kiln_job>();
    if (d_.below(2)) request.call = request.options_json = nullptr;
  }
  return request;
}

void CProgram::use_futures() {
  kiln_error *error = nullptr;
  kiln_submit_options how = {};
  how.struct_size = size_of(sizeof how);
  how.priority = int(d_.byte()) - 128;
  how.deadline = d_.below(2) ? 0 : d_.of(more_seconds);
  const kiln_submit_options *given = d_.below(2) ? &how : nullptr;
  switch (d_.below(6)) {
  case 0:
  case 1: {
    const kiln_compile_request wanted = request();
    kiln_future *future = nullptr;
    const int status = kiln_submit(any<kiln_session>(), d_.below(16) ? &wanted : nullptr, given,
                                   d_.below(16) ? &future : nullptr, &error);
    judge("kiln_submit", status, error, status ? future : nullptr);
    return keep(future);
  }
  case 2: {
    kiln_artifact *artifact = nullptr;
    const int status = kiln_future_get(any<kiln_future>(), d_.below(16) ? &artifact : nullptr, &error);
    judge("kiln_future_get", status, error, status ? artifact : nullptr);
    return keep(artifact);
  }
  case 3:
    (void)kiln_future_ready(any<kiln_future>());
    (void)kiln_future_wait(any<kiln_future>(), d_.of(more_seconds));
    judge("kiln_future_cancel", kiln_future_cancel(any<kiln_future>(), &error), error);
    return judge("kiln_future_then",
                 kiln_future_then(any<kiln_future>(), d_.below(8) ? heard : nullptr, nullptr, &error), error);
  case 4: {
    kiln_compile_request wanted[3] = {request(), request(), request()};
    if (d_.below(4)) wanted[1].struct_size = wanted[2].struct_size = wanted[0].struct_size = sizeof wanted[0];
    kiln_artifact *out[3] = {};
    kiln_error *each[3] = {};
    judge("kiln_compile_many",
          kiln_compile_many(any<kiln_session>(), wanted, 1 + d_.below(3), given, d_.below(16) ? out : nullptr,
                            d_.below(2) ? each : nullptr, &error),
          error);
    for (kiln_artifact *artifact : out) keep(artifact);
    for (kiln_error *one : each) keep(one);
    return;
  }
  default: {
    kiln_compile_request wanted = request();
    kiln_kernel *kernel = nullptr;
    kiln_error *each = nullptr;
    judge("kiln_prepare_many",
          kiln_prepare_many(any<kiln_session>(), &wanted, d_.below(2), any<kiln_device>(), given, &kernel,
                            d_.below(2) ? &each : nullptr, &error),
          error);
    keep(each);
    return keep(kernel);
  }
  }
}

void CProgram::use_values() {
  kiln_error *error = nullptr;
  kiln_session *session = any<kiln_session>();
  const kiln_value *arguments[] = {any<kiln_value>(), any<kiln_value>()};
  switch (d_.below(7)) {
  case 6: return read_types();
  case 0:
  case 1: {
    kiln_value *value = nullptr;
    const int status = kiln_evaluate(session, "e", d_.of(more_expressions), &value, &error);
    judge("kiln_evaluate", status, error, status ? value : nullptr);
    return keep(value);
  }
  case 2: {
    char bytes[64];
    size_t size = 0;
    return judge("kiln_value_bytes",
                 kiln_value_bytes(session, arguments[0], d_.below(4) ? bytes : nullptr,
                                  d_.below(sizeof bytes), d_.below(8) ? &size : nullptr, &error),
                 error);
  }
  case 3: {
    kiln_job *job = nullptr;
    const int status = kiln_job_of_values(session, any<kiln_value>(), d_.below(8) ? arguments : nullptr,
                                          d_.below(3), d_.of(more_options), &job, &error);
    judge("kiln_job_of_values", status, error, status ? job : nullptr);
    return keep(job);
  }
  case 4: {
    kiln_value *value = nullptr;
    const int status = kiln_call_values(session, any<kiln_value>(), arguments, d_.below(3),
                                        d_.of(more_options), &value, &error);
    judge("kiln_call_values", status, error, status ? value : nullptr);
    return keep(value);
  }
  default: {
    kiln_method method = {};
    method.struct_size = size_of(sizeof method);
    method.argument_types = arguments;
    method.argument_count = d_.below(2);
    method.code = any<kiln_code>();
    method.function = d_.below(4) ? nullptr : any<kiln_value>();
    const char *captures[] = {"a", d_.of(more_records)};
    const char *names[] = {"c1", "c2", "c3", "", nullptr};
    kiln_value *type = nullptr;
    const int status = kiln_define_closure(session, names[d_.below(5)], d_.below(8) ? captures : nullptr,
                                           d_.below(3), &method, &type, &error);
    judge("kiln_define_closure", status, error, status ? type : nullptr);
    return keep(type);
  }
  }
}

void CProgram::read_types() {
  kiln_error *error = nullptr;
  const kiln_value *a = any<kiln_value>(), *b = any<kiln_value>();
  kiln_value *out = nullptr;
  int is = 0, status = 0;
  switch (d_.below(6)) {
  case 0:
    judge("kiln_type_is_subtype", kiln_type_is_subtype(a, b, d_.below(8) ? &is : nullptr, &error), error);
    break;
  case 1: status = kiln_type_intersect(a, b, &out, &error); break;
  case 2: status = kiln_type_parameter(a, d_.below(3), &out, &error); break;
  case 3: status = kiln_type_field(a, d_.below(3), &out, nullptr, &error); break;
  case 4: status = kiln_type_super(a, &out, &error); break;
  default: {
    kiln_type_info info = {};
    info.struct_size = size_of(sizeof info);
    judge("kiln_type_read", kiln_type_read(a, &info, &error), error);
    kiln_session *session = any<kiln_session>();
    judge("kiln_module_use", kiln_module_use(session, a, b, &error), error);
    judge("kiln_module_export", kiln_module_export(session, a, d_.of(more_records), &error), error);
    judge("kiln_module_import",
          kiln_module_import(session, a, b, d_.of(more_records), d_.of(more_records), &error), error);
    judge("kiln_define_variable", kiln_define_variable(session, a, d_.of(more_records), b, &error), error);
    return;
  }
  }
  if (status || out) judge("a part of a type", status, error, status ? out : nullptr);
  keep(out);
}

void CProgram::use_lists() {
  kiln_error *error = nullptr;
  kiln_job_list *list = nullptr;
  switch (d_.below(6)) {
  case 0: {
    const int status = d_.below(2)
                           ? kiln_job_list_new(&list, &error)
                           : kiln_read_job_list(d_.of(more_paths), d_.below(8) ? &list : nullptr, &error);
    judge("a list", status, error, status ? list : nullptr);
    break;
  }
  case 1: {
    const char *files[] = {d_.of(more_paths)};
    kiln_job_entry entry = {};
    entry.struct_size = size_of(sizeof entry);
    entry.files = files;
    entry.file_count = d_.below(2);
    entry.call = d_.of(more_calls);
    entry.options_json = d_.of(more_options);
    entry.product = d_.of(more_products);
    judge("kiln_job_list_add", kiln_job_list_add(any<kiln_job_list>(), &entry, &error), error);
    break;
  }
  case 2: {
    const int status =
        d_.below(2)
            ? kiln_job_list_shard(any<kiln_job_list>(), unsigned(d_.below(4)), unsigned(d_.below(4)), &list,
                                  &error)
            : kiln_job_list_for_architectures(any<kiln_job_list>(),
                                              d_.below(2) ? "sm_80,sm_90" : d_.of(more_calls), &list, &error);
    judge("part of a list", status, error, status ? list : nullptr);
    break;
  }
  case 3: {
    const kiln_job_list *of = any<kiln_job_list>();
    char *text = nullptr;
    int status = kiln_job_list_describe(of, d_.below(3), &text, &error);
    judge("kiln_job_list_describe", status, error, status ? text : nullptr);
    kiln_text_free(text);
    if (!kiln_job_list_call(of, d_.byte()) || !kiln_job_list_skipped_call(of, d_.byte()) ||
        !kiln_job_list_skipped_reason(of, d_.byte()) || !kiln_job_list_warning(of, d_.byte()))
      fault_("a null string of a list");
    kiln_job *job = nullptr;
    status = kiln_job_list_hold(of, d_.below(3), any<kiln_session>(), &job, &error);
    judge("kiln_job_list_hold", status, error, status ? job : nullptr);
    keep(job);
    break;
  }
  case 4: {
    kiln_session_options given = {};
    given.struct_size = size_of(sizeof given);
    given.cache_dir = d_.below(2) ? "/dev/null/none" : d_.of(more_paths);
    given.ignore_environment = 1;
    if (!given.cache_dir) given.cache_dir = ""; // not the user's
    kiln_cache *cache = nullptr;
    const int status = kiln_cache_open(&given, d_.below(16) ? &cache : nullptr, &error);
    judge("kiln_cache_open", status, error, status ? cache : nullptr);
    keep(cache);
    break;
  }
  default: {
    const kiln_cache *cache = any<kiln_cache>();
    kiln_folder_statistics statistics = {};
    statistics.struct_size = size_of(sizeof statistics);
    judge("kiln_cache_statistics", kiln_cache_statistics(cache, d_.below(8) ? &statistics : nullptr, &error),
          error);
    kiln_folder_sweep swept = {};
    swept.struct_size = size_of(sizeof swept);
    judge("kiln_cache_sweep", kiln_cache_sweep(cache, d_.below(2) ? &swept : nullptr, &error), error);
    judge("kiln_cache_export",
          kiln_cache_export(cache, d_.below(2) ? nullptr : "/dev/null/none", nullptr, &error), error);
    judge("kiln_cache_verify",
          kiln_cache_verify(cache, d_.below(2) ? any<kiln_job_list>() : nullptr, d_.below(2), nullptr, found,
                            nullptr, &error),
          error);
    judge("kiln_cache_explain",
          kiln_cache_explain(cache, any<kiln_session>(), any<kiln_job>(), d_.of(more_products), explained,
                             nullptr, &error),
          error);
  }
  }
  keep(list);
}

void CProgram::use_tools() {
  kiln_error *error = nullptr;
  kiln_session *session = any<kiln_session>();
  switch (d_.below(5)) {
  case 0: {
    kiln_load_summary summary = {};
    summary.struct_size = size_of(sizeof summary);
    return judge("kiln_load_reported",
                 kiln_load_reported(session, "r.jl", "h(x) = x\nh(1)\n", 14, d_.below(4) ? &summary : nullptr,
                                    d_.below(2) ? loaded : nullptr, nullptr, &error),
                 error);
  }
  case 1: {
    kiln_diagnostic_info info = {};
    info.struct_size = size_of(sizeof info);
    judge("kiln_diagnostic", kiln_diagnostic(d_.byte(), &info, &error), error);
    kiln_option_info option = {};
    option.struct_size = size_of(sizeof option);
    judge("kiln_option", kiln_option(d_.byte(), &option, &error), error);
    return judge("kiln_check_options", kiln_check_options(d_.of(more_options), &error), error);
  }
  case 2: {
    char *text = nullptr;
    size_t size = 0;
    (void)kiln_keeps_records(session);
    judge("kiln_timings_add", kiln_timings_add(session, d_.of(more_records), d_.byte(), d_.byte(), &error),
          error);
    judge("kiln_keep_record", kiln_keep_record(session, d_.of(more_records), "text", d_.below(5), 0, &error),
          error);
    judge("kiln_drop_record", kiln_drop_record(session, d_.of(more_records), d_.of(more_records), &error),
          error);
    const int status =
        kiln_find_record(session, d_.of(more_records), d_.below(8) ? &text : nullptr, &size, &error);
    judge("kiln_find_record", status, error, status ? text : nullptr);
    return kiln_text_free(text);
  }
  case 3: {
    kiln_device_limits limits = {};
    limits.struct_size = size_of(sizeof limits);
    judge("kiln_device_read_limits", kiln_device_read_limits(any<kiln_device>(), &limits, &error), error);
    kiln_memory_counters memory = {};
    memory.struct_size = size_of(sizeof memory);
    judge("kiln_device_memory", kiln_device_memory(any<kiln_device>(), &memory, &error), error);
    kiln_device *device = nullptr;
    int status = kiln_stream_device(any<kiln_stream>(), &device, &error);
    judge("kiln_stream_device", status, error, status ? device : nullptr);
    keep(device);
    void *address = nullptr;
    status = kiln_kernel_global(any<kiln_kernel>(), d_.of(more_records), &address, nullptr, &error);
    return judge("kiln_kernel_global", status, error, status ? address : nullptr);
  }
  default: {
    char *name = nullptr, *target = nullptr;
    const kiln_job *job = any<kiln_job>();
    int status = kiln_job_label(job, &name, d_.below(2) ? &target : nullptr, &error);
    judge("kiln_job_label", status, error, status ? name : nullptr);
    kiln_text_free(name);
    kiln_text_free(target);
    status = kiln_job_digest(job, &name, &error);
    judge("kiln_job_digest", status, error, status ? name : nullptr);
    kiln_text_free(name);
    kiln_gpu_code code = {};
    code.struct_size = size_of(sizeof code);
    return judge("kiln_job_gpu_code", kiln_job_gpu_code(job, &code, &error), error);
  }
  }
}

void free_other_handle(void *handle) {
  kiln_future_free(static_cast<kiln_future *>(handle));
  kiln_job_list_free(static_cast<kiln_job_list *>(handle));
  kiln_cache_free(static_cast<kiln_cache *>(handle));
}

} // namespace kiln::fuzz
