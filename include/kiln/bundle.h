// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles: files of kernels that `kiln bundle` compiles when a program is built. The program launches them on
// the CPU and on GPUs without a compiler in the process. docs/guide/bundles.md is the tour.
//
//   auto bundle = kiln::Bundle::open("kernels.kiln");
//   auto saxpy = bundle->find("saxpy");
//   auto kernel = saxpy->load(runtime->cpu());       // then Stream::launch
//
// A bundle holds machine code that runs in this process: open only bundles that you trust as much as a
// library.
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

/// A parameter of a kernel: an argument that has bytes. Functions, Val(3) and other types with a single value
/// have none.
struct BundleParameter {
  std::string_view name; ///< name in the kernel's source; "": unnamed there
  std::string_view type; ///< type in the kernel's language: "CuDeviceArray{Float32, 1, 1}"
  uint32_t argument = 0; ///< position among all arguments of the kernel, from 1
  uint64_t size = 0;     ///< bytes
  uint32_t align = 1;
};

/// Description of a kernel's code for one architecture.
struct BundleCode {
  enum class Kind { Cpu, Cubin, Ptx, Spirv } kind = Kind::Cpu;
  std::string architecture; ///< "x86-64-v3", "neoverse-v2"; "sm_90", "sm_100f"; "spirv-1.2"
  uint64_t bytes = 0;
  int ptx_isa = 0; ///< PTX: its ISA version x 10; other kinds: 0
};

struct BundleOptions {
  /// Highest level whose code is loaded: 2, 3 or 4 on x86-64; 1 (aarch64) or 2 (neoverse-v2) on AArch64. Set
  /// a lower level than the processor's to compare performance.
  int max_cpu_level = 4;
  /// True: load PTX, which the driver assembles, even if the bundle has a cubin for the GPU.
  bool prefer_ptx = false;
  /// Addresses of the host functions that kernels for the CPU call, by name. Loading a kernel searches
  /// `symbols` first, then calls `find_symbol`. A function found in neither is HostFunctionError[158].
  HostSymbols symbols = {};
  FindHostSymbol find_symbol = {};
};

class BundleKernel;

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that programs and libkiln exchange through this header. The library compares them
/// to detect headers of another version.
consteval auto bundle_structures() {
  return std::array{KILN_STRUCTURE(BundleOptions), KILN_STRUCTURE(BundleParameter),
                    KILN_STRUCTURE(BundleCode),    KILN_STRUCTURE(LaunchShape),
                    KILN_STRUCTURE(LaunchOptions), KILN_STRUCTURE(Argument),
                    KILN_STRUCTURE(Artifact),      KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// An open bundle. Cheap to copy: copies refer to the same open file. Thread-safe. The bundle stays open as
/// long as a copy or one of its BundleKernels exists. Loaded kernels do not need it.
class KILN_API Bundle {
public:
  Bundle() = default; ///< empty
  explicit operator bool() const { return state_ != nullptr; }

  /// Maps the file, which must not change while the bundle is open. Checks the file's header and index now,
  /// and a kernel's code when it is loaded. Errors: Input with kind BundleError if the file is missing, no
  /// bundle, truncated, altered, or of another version. Usage if the program was compiled with headers of
  /// another version.
  KILN_HEADER_INLINE static Result<Bundle> open(const std::string &path, const BundleOptions &options = {}) {
    const auto structures = detail::bundle_structures();
    return open(path, options, {KILN_VERSION, structures});
  }
  static Result<Bundle> open(const std::string &path, const BundleOptions &options,
                             const ProgramHeaders &headers);
  /// Opens a bundle in the caller's memory. `data` must be aligned to 8 bytes and outlive the bundle. Errors:
  /// those of open.
  KILN_HEADER_INLINE static Result<Bundle> from_memory(const void *data, size_t bytes,
                                                       const BundleOptions &options = {}) {
    const auto structures = detail::bundle_structures();
    return from_memory(data, bytes, options, {KILN_VERSION, structures});
  }
  static Result<Bundle> from_memory(const void *data, size_t bytes, const BundleOptions &options,
                                    const ProgramHeaders &headers);

  size_t size() const; ///< how many kernels
  /// Returns a kernel by its index; kernels are sorted by name, then by signature. An empty handle if `index`
  /// is not less than size().
  BundleKernel kernel(size_t index) const;
  /// Finds a kernel by name. Error: Usage if no kernel or several have that name; in the second case the
  /// message lists them.
  Result<BundleKernel> find(std::string_view name) const;
  /// Finds a kernel by name and signature. `signature` lists the types of all arguments, as
  /// BundleKernel::signature() returns them or as the job list wrote them; spaces are ignored. Error: Usage,
  /// with the signatures that exist for that name.
  Result<BundleKernel> find(std::string_view name, std::string_view signature) const;
  /// Checks the code of all kernels against its checksums. Error: Input, with the first kernel whose code is
  /// altered.
  Result<void> verify() const;

  struct KILN_LOCAL State;

private:
  explicit Bundle(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Handle to a kernel of a bundle. Cheap to copy; thread-safe.
class KILN_API BundleKernel {
public:
  BundleKernel() = default; ///< empty: no name, no parameters
  explicit operator bool() const { return bundle_ != nullptr; }
  std::string_view name() const;
  std::string_view signature() const; ///< "CuDeviceArray{Float32, 1, 1}, Float32"
  std::string_view language() const;  ///< source language, "julia"; loading does not need its frontend
  std::vector<BundleParameter> parameters() const;
  std::vector<BundleCode> codes() const;

  /// Loads the kernel on a device. On the CPU, takes the code for the highest level that the processor
  /// supports. On a GPU, takes the most specific cubin (exact chip, then family, then major version), else
  /// the newest PTX that the driver can assemble. Later calls for the same device return the loaded kernel.
  /// Errors: Usage if no code fits the device (with the reason for each code) or if this thread captures a
  /// graph; Input with kind BundleError if the code was altered; Machine.
  Result<Kernel> load(const Device &device) const;

  /// Loads the kernel on the stream's device and submits a launch to the stream. `arguments` are the kernel's
  /// parameters in order, that is without arguments that have no bytes. Errors: Usage if their number or
  /// types differ from the kernel's; those of load and Stream::launch.
  Result<void> launch(Stream &stream, const LaunchShape &shape, ArgumentList arguments,
                      const LaunchOptions &options = {}) const;

private:
  friend class Bundle;
  BundleKernel(std::shared_ptr<Bundle::State> bundle, uint32_t index)
      : bundle_(std::move(bundle)), index_(index) {}
  std::shared_ptr<Bundle::State> bundle_;
  uint32_t index_ = 0;
};

/// A column-major array of N dimensions in a device's memory, as kernels receive it by value. Its layout is
/// that of the language's CuDeviceArray{T, N, 1}. Kernel classes in the headers of `kiln bundle --header`
/// take arrays in this form.
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
