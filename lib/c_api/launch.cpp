// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by name, and kernels that are prepared for them.
#include "call.h"

#include <cmath>

using namespace kiln;
using namespace kiln::c;

namespace {

std::array<uint32_t, 3> extents(const unsigned given[3]) {
  return {std::max(given[0], 1u), std::max(given[1], 1u), std::max(given[2], 1u)};
}

/// 0: none.
Result<std::chrono::nanoseconds> time_limit(double seconds) {
  if (seconds == 0) return std::chrono::nanoseconds(0);
  if (!(seconds > 0) || seconds > 1e9)
    return usage_error(fmt::format("a time limit of {} seconds: it is above 0 and at most 1e9", seconds));
  return std::chrono::nanoseconds(std::max<int64_t>(int64_t(seconds * 1e9), 1));
}

Result<void> launch_by_name(Session &session, const kiln_launch_options &given) {
  if (!given.function) return null_argument("kiln_launch", "function");
  LaunchShape shape{extents(given.blocks), extents(given.threads), given.shared_bytes};
  LaunchOptions options{.cluster = {given.cluster[0], given.cluster[1], given.cluster[2]},
                        .cooperative = given.cooperative != 0,
                        .programmatic_serialization = given.programmatic_serialization != 0};
  KILN_TRY(options.time_limit, time_limit(given.time_limit));
  KILN_TRY(CompilerConfig config, read_config(session, given.options_json));
  KILN_TRY(std::vector<Argument> arguments, read_arguments(given.arguments, given.count));
  if (!given.stream) {
    KILN_TRY(Device device, device_named(session, given.device));
    return session.launch(device, given.function, shape, arguments, config, options);
  }

  KILN_PIN(StreamObject, stream, given.stream);
  Device device = stream->value.device();
  if (given.device) {
    KILN_TRY(Device named, device_named(session, given.device));
    if (!(named == device)) return usage_error("the stream is of another device than the launch names");
  }
  if (options.time_limit.count()) config.interruptible = true;
  std::string call = std::string(given.function) + "(";
  for (const Argument &argument : arguments) {
    if (call.back() != '(') call += ", ";
    call += argument.type;
  }
  KILN_TRY(Kernel kernel, session.prepare(call + ")", config, device));
  std::vector<const void *> bytes;
  for (const Argument &argument : arguments) bytes.push_back(argument.bytes.data());
  return stream->value.launch(kernel, shape, bytes, options);
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
    KILN_TRY(kiln_launch_options read, read_struct(options, "kiln_launch_options"));
    return launch_by_name(*object->session, read);
  });
}

int kiln_prepare(kiln_session *session, const char *text, const char *options_json, const kiln_device *device,
                 kiln_kernel **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_prepare", out);
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_prepare", "call");
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(CompilerConfig config, read_config(*object->session, options_json));
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

int kiln_kernel_suggest(const kiln_kernel *kernel, uint64_t shared_bytes, unsigned *threads, unsigned *blocks,
                        kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(KernelObject, object, kernel);
    KILN_TRY(LaunchSuggestion suggestion, object->value.suggest(shared_bytes));
    if (threads) *threads = suggestion.threads;
    if (blocks) *blocks = suggestion.blocks;
    return {};
  });
}

int kiln_kernel_launch(kiln_kernel *kernel, kiln_stream *stream, const kiln_shape *shape,
                       const void *const *arguments, size_t count, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(KernelObject, object, kernel);
    KILN_NOT_NULL("kiln_kernel_launch", shape);
    if (count) KILN_NOT_NULL("kiln_kernel_launch", arguments);
    KILN_TRY(kiln_shape given, read_struct(shape, "kiln_shape"));
    LaunchOptions options{.cluster = {given.cluster[0], given.cluster[1], given.cluster[2]},
                          .cooperative = given.cooperative != 0,
                          .programmatic_serialization = given.programmatic_serialization != 0};
    KILN_TRY(options.time_limit, time_limit(given.time_limit));
    KILN_PIN(StreamObject, queue, stream);
    return queue->value.launch(object->value,
                               {extents(given.blocks), extents(given.threads), given.shared_bytes},
                               {arguments, count}, options);
  });
}

int kiln_array_header(void *out, size_t out_size, void *data, size_t element_size, int ndim,
                      const int64_t *dims, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_array_header", out);
    KILN_NOT_NULL("kiln_array_header", dims);
    if (ndim < 1 || ndim > 32) return usage_error(fmt::format("{} dimensions; an array has 1 to 32", ndim));
    if (element_size == 0) return usage_error("an element of 0 bytes");
    size_t wanted = (size_t(ndim) + 3) * sizeof(uint64_t);
    if (out_size < wanted)
      return usage_error(fmt::format("the header of an array of {} dimensions has {} bytes, and `out` {}",
                                     ndim, wanted, out_size));
    Argument array = Argument::array_of("", data, std::vector<int64_t>(dims, dims + ndim), element_size);
    std::memcpy(out, array.bytes.data(), wanted);
    return {};
  });
}

void kiln_kernel_free(kiln_kernel *kernel) { free_handle(HandleKind::Kernel, kernel); }
}
