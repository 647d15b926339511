// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compiled when a program is built, in one file that `kiln bundle` writes. They are launched on the
// CPU and on GPUs without a compiler in the process. docs/guide/bundles.md is the tour.
//
//   auto bundle = kiln::Bundle::open("kernels.kiln");
//   auto saxpy = bundle->find("saxpy");
//   auto kernel = saxpy->load(runtime->cpu());       // then Stream::launch
//
// A bundle contains machine code that runs in this process: open only your own.
#pragma once

#include <kiln/argument.h>
#include <kiln/export.h>
#include <kiln/header_check.h>
#include <kiln/host_function.h>
#include <kiln/stream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// An argument of a kernel that has bytes. (Functions, Val and the like have none and are no parameters.)
struct BundleParameter {
  std::string_view name; ///< name in the kernel's source; "" if it has none
  std::string_view type; ///< type of the language: "CuDeviceArray{Float32, 1, 1}"
  uint32_t argument = 0; ///< its number, from 1
  uint64_t size = 0;     ///< bytes
  uint32_t align = 1;
};

/// A kernel's code for one kind of device.
struct BundleCode {
  enum class Kind { Cpu, Cubin, Ptx } kind = Kind::Cpu;
  std::string architecture; ///< "x86-64-v3"; "sm_90", "sm_100f"
  uint64_t bytes = 0;
  int ptx_isa = 0; ///< for PTX: ISA version x 10; else 0
};

struct BundleOptions {
  int max_cpu_level =
      4; ///< at most this of x86-64-v2, v3 and v4, where the processor has more (for comparisons)
  bool prefer_ptx = false; ///< the driver assembles even where there is a cubin for the GPU
  /// Addresses of the host functions that kernels for the CPU call, by name: the table first, then the
  /// look-up. Read when a kernel is loaded; one that is missing is HostFunctionError[158].
  HostSymbols symbols = {};
  FindHostSymbol find_symbol = {};
};

class BundleKernel;

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program and the library share through a bundle.
consteval auto bundle_structures() {
  return std::array{KILN_STRUCTURE(BundleOptions), KILN_STRUCTURE(BundleParameter),
                    KILN_STRUCTURE(BundleCode),    KILN_STRUCTURE(LaunchShape),
                    KILN_STRUCTURE(LaunchOptions), KILN_STRUCTURE(Argument),
                    KILN_STRUCTURE(Artifact),      KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// An open bundle. Cheap to copy; copies share it. Thread-safe. It stays open as long as a copy or one of its
/// BundleKernels exists. Loaded kernels do not need it.
class KILN_API Bundle {
public:
  Bundle() = default; ///< empty
  explicit operator bool() const { return state_ != nullptr; }

  /// Maps the file, which must not change meanwhile. Its header and index are checked, a kernel's code when
  /// it is loaded. Errors: Input as BundleError: no file, no bundle, one that is cut off or altered, or of
  /// another version. Usage, for headers of another version.
  KILN_HEADER_INLINE static Result<Bundle> open(const std::string &path, const BundleOptions &options = {}) {
    const auto structures = detail::bundle_structures();
    return open(path, options, {KILN_VERSION, structures});
  }
  static Result<Bundle> open(const std::string &path, const BundleOptions &options,
                             const ProgramHeaders &headers);
  /// A bundle in the caller's memory, at a multiple of 8 bytes, which must outlive it. Errors: as open.
  KILN_HEADER_INLINE static Result<Bundle> from_memory(const void *data, size_t bytes,
                                                       const BundleOptions &options = {}) {
    const auto structures = detail::bundle_structures();
    return from_memory(data, bytes, options, {KILN_VERSION, structures});
  }
  static Result<Bundle> from_memory(const void *data, size_t bytes, const BundleOptions &options,
                                    const ProgramHeaders &headers);

  size_t size() const; ///< number of kernels
  /// The kernel at `index`, ordered by name, then by signature. An empty handle if `index` is not less than
  /// size().
  BundleKernel kernel(size_t index) const;
  /// Errors: Usage: there is none of that name, or several, which it lists.
  Result<BundleKernel> find(std::string_view name) const;
  /// `signature`: the types of all arguments, as signature() returns them or as the list had them; blanks are
  /// ignored. Errors: Usage, which lists the signatures of that name.
  Result<BundleKernel> find(std::string_view name, std::string_view signature) const;
  /// Checks every piece of code against its checksum. Error: Input, naming the first that is altered.
  Result<void> verify() const;

  struct KILN_LOCAL State;

private:
  explicit Bundle(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A kernel of a bundle. Cheap to copy; thread-safe.
class KILN_API BundleKernel {
public:
  BundleKernel() = default; ///< empty: no name, no parameters
  explicit operator bool() const { return bundle_ != nullptr; }
  std::string_view name() const;
  std::string_view signature() const; ///< "CuDeviceArray{Float32, 1, 1}, Float32"
  std::string_view language() const;  ///< language of the source: "julia"; loading needs no language
  std::vector<BundleParameter> parameters() const;
  std::vector<BundleCode> codes() const;

  /// Ready to launch in the device's streams: on the CPU the code for the highest level that the processor
  /// has; on a GPU the best cubin (of this chip, of its family, of its major version), or the newest PTX that
  /// the driver assembles for it. The first call for a device loads, later ones find it. Errors: Usage (no
  /// code for this device, with a reason for each piece; while this thread captures a graph), Input as
  /// BundleError (the code was altered), Machine.
  Result<Kernel> load(const Device &device) const;

  /// Loads it for the stream's device and enqueues a launch. Arguments follow the kernel's parameters, except
  /// those without bytes, and their types are compared with the kernel's. Errors: Usage (another type or
  /// number of arguments), those of load, and those of Stream::launch.
  Result<void> launch(Stream &stream, const LaunchShape &shape, ArgumentList arguments,
                      const LaunchOptions &options = {}) const;

private:
  friend class Bundle;
  BundleKernel(std::shared_ptr<Bundle::State> bundle, uint32_t index)
      : bundle_(std::move(bundle)), index_(index) {}
  std::shared_ptr<Bundle::State> bundle_;
  uint32_t index_ = 0;
};

/// An array of N dimensions in a device's memory, as kernels take it by value: column-major. Bytes and layout
/// are those of the language's CuDeviceArray{T, N, 1}. Headers of `kiln bundle --header` use it.
template <class T, int N> class DeviceArray {
public:
  DeviceArray(T *data, const std::array<int64_t, N> &dims) {
    header_.pointer = const_cast<std::remove_const_t<T> *>(data);
    header_.length = 1;
    for (int i = 0; i < N; i++) header_.length *= header_.dims[i] = dims[i];
    header_.max_size = header_.length * int64_t(sizeof(T));
  }
  DeviceArray(T *data, int64_t length)
    requires(N == 1)
      : DeviceArray(data, std::array<int64_t, 1>{length}) {}
  T *data() const { return static_cast<T *>(header_.pointer); }
  int64_t size() const { return header_.length; }
  int64_t size(int dimension) const { return header_.dims[dimension]; }

private:
  abi::ArrayHeader<N> header_{};
};

} // namespace kiln::inline KILN_API_VERSION
