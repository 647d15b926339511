// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements launches of functions by name, and of kernels prepared for such launches.
#include "session_call.h"

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/print.h>

using namespace kiln;
using namespace kiln::c;

namespace {

/// Returns the reason why the session's language has no type with the name `type`. Empty: it has that type.
std::string why_no_type(Session &session, std::string_view type) {
  Result<Value> value = evaluate(session, "type", type);
  if (!value.ok()) {
    const Diagnostic &fault = value.error().diagnostics()[0];
    return fault.hint.empty() ? fault.message : fault.message + "; " + fault.hint;
  }
  return value->as_type() ? std::string() : spell(*value) + " is a value";
}

Result<void> launch_by_name(Session &session, const kiln_launch_options &given) {
  if (!given.function) return null_argument("kiln_launch", "function");
  Launch launch;
  const LaunchShape &shape =
      launch.shape = {extents(given.blocks), extents(given.threads), given.shared_bytes};
  LaunchOptions &options =
      launch.options = {.cluster = {given.cluster[0], given.cluster[1], given.cluster[2]},
                        .cooperative = given.cooperative != 0,
                        .programmatic_serialization = given.programmatic_serialization != 0};
  if (given.time_limit != 0) {
    KILN_TRY(options.time_limit, time_limit(given.time_limit));
  }
  if (given.stop) KILN_CHECK(read_stop(given.stop, launch));
  ArgumentScratch scratch;
  const std::function<std::string(std::string_view)> explain = [&session](std::string_view type) {
    return why_no_type(session, type);
  };
  KILN_TRY(std::span<const Argument> arguments, scratch.read(given.arguments, given.count, &explain));
  // Most launches by name use the session's default config.
  const CompilerConfig &defaults = session.default_config();
  const bool has_options = given.options_json && *given.options_json;
  std::optional<CompilerConfig> own;
  if (!given.stream) {
    KILN_TRY(Device device, device_named(session, given.device));
    if (has_options) {
      KILN_TRY(own, read_config(session, given.options_json, device));
    }
    return session.launch(device, given.function, shape, arguments, own ? *own : defaults, options);
  }

  KILN_PIN(StreamObject, stream, given.stream);
  if (given.device) {
    KILN_TRY(Device named, device_named(session, given.device));
    if (!(named == stream->value.device()))
      return usage_error("the stream is of another device than the launch names");
  }
  if (has_options) {
    KILN_TRY(own, read_config(session, given.options_json, stream->value.device()));
  }
  return session.launch(stream->value, given.function, shape, arguments, own ? *own : defaults, options);
}

} // namespace

extern "C" {

int kiln_launch(kiln_session *session, const char *device, const char *function, const unsigned blocks[3],
                const unsigned threads[3], const kiln_argument *arguments, size_t count, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_launch", blocks);
    KILN_NOT_NULL("kiln_launch", threads);
    kiln_launch_options options{};
    options.device = device;
    options.function = function;
    std::copy_n(blocks, 3, options.blocks);
    std::copy_n(threads, 3, options.threads);
    options.arguments = arguments;
    options.count = count;
    return launch_by_name(*object->session, options);
  });
}

int kiln_launch_ex(kiln_session *session, const kiln_launch_options *options, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_launch_ex", options);
    kiln_launch_options copy;
    KILN_TRY(const kiln_launch_options *read, view_struct(options, "kiln_launch_options", copy));
    return launch_by_name(*object->session, *read);
  });
}

int kiln_prepare(kiln_session *session, const char *text, const char *options_json, const kiln_device *device,
                 kiln_kernel **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_prepare", out);
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_prepare", "call");
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(CompilerConfig config, read_config(*object->session, options_json, on->value));
    KILN_TRY(Kernel kernel, object->session->prepare(text, config, on->value));
    return give<KernelObject>(out, std::move(kernel));
  });
}

int kiln_load_kernel(kiln_session *session, const kiln_artifact *artifact, const kiln_device *device,
                     kiln_kernel **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_load_kernel", out);
    KILN_PIN(SessionObject, object, session);
    KILN_PIN(ArtifactObject, code, artifact);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(Kernel kernel, object->session->load_kernel(code->value, on->value));
    return give<KernelObject>(out, std::move(kernel));
  });
}

int kiln_kernel_artifact(const kiln_kernel *kernel, kiln_artifact **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_kernel_artifact", out);
    KILN_PIN(KernelObject, object, kernel);
    return give<ArtifactObject>(out, std::make_shared<const Artifact>(object->value.artifact()));
  });
}
}
