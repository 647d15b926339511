// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles.
#include "call.h"

using namespace kiln;
using namespace kiln::c;

namespace {

Result<BundleOptions> read_options(const kiln_bundle_options *options) {
  BundleOptions read;
  if (!options) return read;
  KILN_TRY(kiln_bundle_options given, read_struct(options, "kiln_bundle_options"));
  if (given.max_cpu_level) read.max_cpu_level = given.max_cpu_level;
  read.prefer_ptx = given.prefer_ptx != 0;
  KILN_CHECK(read_symbols(given.symbols, read.symbols, read.find_symbol));
  return read;
}

/// Finds a kernel in a bundle by name. `signature` may be null if only one kernel has that name.
Result<BundleKernel> find(const Bundle &bundle, const char *name, const char *signature) {
  return signature ? bundle.find(name, signature) : bundle.find(name);
}

} // namespace

extern "C" {

int kiln_bundle_open(const char *path, const kiln_bundle_options *options, kiln_bundle **out,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_bundle_open", out);
    KILN_NOT_NULL("kiln_bundle_open", path);
    KILN_TRY(BundleOptions wanted, read_options(options));
    KILN_TRY(Bundle bundle, Bundle::open(path, wanted));
    return give<BundleObject>(out, std::move(bundle));
  });
}

int kiln_bundle_open_memory(const void *data, size_t size, const kiln_bundle_options *options,
                            kiln_bundle **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_bundle_open_memory", out);
    KILN_NOT_NULL("kiln_bundle_open_memory", data);
    KILN_TRY(BundleOptions wanted, read_options(options));
    KILN_TRY(Bundle bundle, Bundle::from_memory(data, size, wanted));
    return give<BundleObject>(out, std::move(bundle));
  });
}

void kiln_bundle_free(kiln_bundle *bundle) { free_handle(HandleKind::Bundle, bundle); }

size_t kiln_bundle_count(const kiln_bundle *bundle) {
  Pinned<BundleObject> object(bundle);
  return object ? object->value.size() : 0;
}

const char *kiln_bundle_kernel_name(const kiln_bundle *bundle, size_t kernel) {
  Pinned<BundleObject> object(bundle);
  const std::string_view name = object ? object->value.kernel(kernel).name() : std::string_view();
  // The name points to a string in the bundle's file, which ends with a NUL.
  return name.empty() ? "" : name.data();
}

const char *kiln_bundle_kernel_signature(const kiln_bundle *bundle, size_t kernel) {
  Pinned<BundleObject> object(bundle);
  const std::string_view signature = object ? object->value.kernel(kernel).signature() : std::string_view();
  return signature.empty() ? "" : signature.data();
}

const char *kiln_bundle_kernel_language(const kiln_bundle *bundle, size_t kernel) {
  Pinned<BundleObject> object(bundle);
  const std::string_view language = object ? object->value.kernel(kernel).language() : std::string_view();
  return language.empty() ? "" : language.data();
}

int kiln_bundle_verify(const kiln_bundle *bundle, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(BundleObject, object, bundle);
    return object->value.verify();
  });
}

int kiln_bundle_load(const kiln_bundle *bundle, const char *name, const char *signature,
                     const kiln_device *device, kiln_kernel **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_bundle_load", out);
    KILN_PIN(BundleObject, object, bundle);
    KILN_NOT_NULL("kiln_bundle_load", name);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(BundleKernel kernel, find(object->value, name, signature));
    KILN_TRY(Kernel loaded, kernel.load(on->value));
    return give<KernelObject>(out, std::move(loaded));
  });
}

int kiln_bundle_launch(const kiln_bundle *bundle, const char *name, const char *signature,
                       kiln_stream *stream, const kiln_shape *shape, const kiln_argument *arguments,
                       size_t count, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(BundleObject, object, bundle);
    KILN_NOT_NULL("kiln_bundle_launch", name);
    KILN_NOT_NULL("kiln_bundle_launch", shape);
    Launch launch;
    KILN_CHECK(read_shape(shape, launch));
    ArgumentScratch scratch;
    KILN_TRY(std::span<const Argument> values, scratch.read(arguments, count));
    KILN_PIN(StreamObject, queue, stream);
    KILN_TRY(BundleKernel kernel, find(object->value, name, signature));
    return kernel.launch(queue->value, launch.shape, values, launch.options);
  });
}
}
