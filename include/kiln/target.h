// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets of code generation: the name of a target and its options. Plain values with ==; cache keys contain
// all of them.
//
//   config.target = PtxOptions{.sm = 80};
//   config.target.edit<PtxOptions>().max_threads = {256, 1, 1};
//
// Rows of kiln/config.def define the option fields of Kiln's own targets. A target of an embedder defines a
// struct of options with ==, `target_name` and `visit`.
#pragma once

#include <kiln/export.h>

#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kiln::inline KILN_API_VERSION {

using Extents = std::array<uint32_t, 3>; ///< x, y, z

/// Options of the native target. The rows KILN_NATIVE_OPTION of kiln/config.def describe them.
struct KILN_API NativeOptions {
  static constexpr std::string_view target_name = "native";
#define KILN_NATIVE_OPTION(type, field, value, ...) type field = value;
#include <kiln/config.def>

  bool operator==(const NativeOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
#define KILN_NATIVE_OPTION(type, field, ...) visit(#field, self.field);
#include <kiln/config.def>
  }
};

/// Options of the ptx target. The rows KILN_PTX_OPTION of kiln/config.def describe them.
struct KILN_API PtxOptions {
  static constexpr std::string_view target_name = "ptx";
#define KILN_PTX_OPTION(type, field, value, ...) type field = value;
#include <kiln/config.def>

  bool operator==(const PtxOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
#define KILN_PTX_OPTION(type, field, ...) visit(#field, self.field);
#include <kiln/config.def>
  }
};

/// Options of the spirv target. The rows KILN_SPIRV_OPTION of kiln/config.def describe them.
struct KILN_API SpirvOptions {
  static constexpr std::string_view target_name = "spirv";
#define KILN_SPIRV_OPTION(type, field, value, ...) type field = value;
#include <kiln/config.def>

  bool operator==(const SpirvOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
#define KILN_SPIRV_OPTION(type, field, ...) visit(#field, self.field);
#include <kiln/config.def>
  }
};

/// The interface through which Kiln reaches a device.
enum class DeviceKind : uint8_t {
  Cpu,    ///< this process
  Cuda,   ///< the CUDA driver: NVIDIA GPUs
  OpenCl, ///< an OpenCL driver that accepts SPIR-V
};
inline constexpr std::string_view device_kind_names[] = {"cpu", "cuda", "opencl"}; ///< by DeviceKind

/// Properties of a device that decide which code it runs.
struct DeviceFacts {
  std::string name;           ///< for messages
  int compute_capability = 0; ///< compute capability x 10 of an NVIDIA GPU; 0: another device
  int cuda = 0;               ///< CUDA version of the GPU's driver, such as 12080 for 12.8
  DeviceKind kind = DeviceKind::Cpu;
  /// Words for the features that the device's code may use, separated by commas: "fp64,int64_atomics". Only
  /// for OpenCL devices.
  std::string features = {};
};

/// Properties of code for an NVIDIA GPU, from the job's options.
struct GpuCode {
  int sm = 0;                                          ///< compute capability x 10
  bool arch_specific = false, family_specific = false; ///< sm_90a, sm_100f
  int ptx_isa = 0;            ///< PTX ISA version x 10; 0: the architecture's default
  Extents block_threads{};    ///< maximum or required threads of a block; zeros: neither is set
  uint32_t coarse_bytes = 16; ///< bytes of one access of a coarsened entry
};

/// A struct with a target's options, such as PtxOptions.
template <class T>
concept TargetOptions = std::is_same_v<std::remove_cvref_t<decltype(T::target_name)>, std::string_view> &&
                        std::equality_comparable<T> && std::is_copy_constructible_v<T>;

/// Visits a target's options one by one, with their names. Cache keys, JSON and messages are made by
/// visitors.
class KILN_API TargetOptionVisitor {
public:
  virtual ~TargetOptionVisitor() = default;
  virtual void option(std::string_view name, bool value) = 0;
  virtual void option(std::string_view name, int64_t value) = 0;
  virtual void option(std::string_view name, std::string_view value) = 0;
  virtual void option(std::string_view name, std::span<const uint32_t> values) = 0;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {

/// Base class that holds the options of any target.
class KILN_API AnyTargetOptions {
public:
  virtual ~AnyTargetOptions() = default;
  virtual std::string_view target_name() const = 0;
  /// Returns sizeof the options' type. Size and target name identify the type, since programs may be compiled
  /// without RTTI.
  virtual size_t size() const = 0;
  virtual bool equals(const AnyTargetOptions &other) const = 0;
  virtual void visit(TargetOptionVisitor &visitor) const = 0;
};

template <TargetOptions Options> class TargetOptionsOf;
/// Returns the options as type Options; null if they belong to another target.
template <TargetOptions Options> const Options *options_in(const AnyTargetOptions &any) {
  const bool same = any.target_name() == Options::target_name && any.size() == sizeof(Options);
  return same ? &static_cast<const TargetOptionsOf<Options> &>(any).value : nullptr;
}

template <TargetOptions Options> class KILN_API TargetOptionsOf final : public AnyTargetOptions {
public:
  explicit TargetOptionsOf(Options options) : value(std::move(options)) {}
  std::string_view target_name() const override { return Options::target_name; }
  size_t size() const override { return sizeof(Options); }
  bool equals(const AnyTargetOptions &other) const override {
    const auto *same = options_in<Options>(other);
    return same && *same == value;
  }
  void visit(TargetOptionVisitor &visitor) const override {
    Options::visit(value, [&](std::string_view name, const auto &field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (std::is_same_v<Field, bool>)
        visitor.option(name, field);
      else if constexpr (std::is_integral_v<Field>)
        visitor.option(name, int64_t(field));
      else if constexpr (std::is_same_v<Field, std::string>)
        visitor.option(name, std::string_view(field));
      else
        visitor.option(name, std::span<const uint32_t>(field));
    });
  }
  Options value;
};

} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Controls fusing of a * b + c into one operation, which rounds only once.
enum class Contraction : uint8_t {
  Default, ///< TargetCapabilities::fuses_operations decides: off on CPUs, on for ptx
  Off,
  On
};
inline constexpr std::string_view contraction_names[] = {"default", "off", "on"}; ///< by Contraction

/// A target and its options. Copies share the options until one of them is edited. The default is the native
/// target for the host's CPU.
class TargetSpec {
public:
  TargetSpec() = default;
  template <TargetOptions Options>
  TargetSpec(Options options)
      : options_(std::make_shared<detail::TargetOptionsOf<Options>>(std::move(options))) {}

  std::string_view name() const { return any().target_name(); }
  template <TargetOptions Options> bool is() const { return detail::options_in<Options>(any()) != nullptr; }
  /// Returns the options. The spec must be of this target; test with is().
  template <TargetOptions Options> const Options &get() const {
    const Options *options = detail::options_in<Options>(any());
    assert(options && "the options of another target");
    return *options;
  }
  /// Returns the options for changing. If the spec is of another target, it becomes this target with default
  /// options. The reference is valid until the spec is copied or assigned.
  template <TargetOptions Options> Options &edit() {
    Options options = is<Options>() ? get<Options>() : Options();
    auto own = std::make_shared<detail::TargetOptionsOf<Options>>(std::move(options));
    Options &value = own->value;
    options_ = std::move(own);
    return value;
  }
  void visit(TargetOptionVisitor &visitor) const { any().visit(visitor); }

  bool operator==(const TargetSpec &other) const {
#define KILN_TARGET_OPTION(type, field, ...)                                                                 \
  if (field != other.field) return false;
#include <kiln/config.def>
    return options_ == other.options_ || any().equals(other.any());
  }
  /// Copies the options that all targets have from another spec. Does not change the target and its own
  /// options.
  void copy_common_options(const TargetSpec &from) {
#define KILN_TARGET_OPTION(type, field, ...) field = from.field;
#include <kiln/config.def>
  }

  /// Returns true if code generation may fuse products and sums. `by_default` is
  /// TargetCapabilities::fuses_operations of the target.
  bool contracts(bool by_default) const {
    return fast_math || (contract == Contraction::Default ? by_default : contract == Contraction::On);
  }

#define KILN_TARGET_OPTION(type, field, value, ...) type field = value;
#include <kiln/config.def>

private:
  const detail::AnyTargetOptions &any() const {
    static const detail::TargetOptionsOf<NativeOptions> defaults{NativeOptions()};
    return options_ ? *options_ : defaults;
  }
  std::shared_ptr<const detail::AnyTargetOptions> options_; ///< null: NativeOptions()
};

/// Makes a spec of the ptx target. `sm` and `ptx_isa` are as in GpuCode.
inline TargetSpec nvidia_gpu_spec(int sm, int ptx_isa) {
  PtxOptions options;
  options.sm = sm;
  options.ptx_isa = ptx_isa;
  return options;
}

} // namespace kiln::inline KILN_API_VERSION
