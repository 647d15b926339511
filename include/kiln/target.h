// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code is generated for: a target's name and the options of its own. Plain values with ==, which enter
// the keys whole.
//
//   config.target = PtxOptions{.sm = 80};
//   config.target.edit<PtxOptions>().max_threads = {256, 1, 1};
//
// A target outside Kiln's tree defines options of its own as those below: a struct with ==, the target's
// name, and `visit`.
#pragma once

#include <kiln/export.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace kiln {

/// Options of the native target.
struct KILN_API NativeOptions {
  static constexpr std::string_view target_name = "native";
  std::string cpu;      ///< LLVM CPU name; empty: the host's, which the target fills in
  std::string features; ///< LLVM feature string "+avx2,-fma"

  bool operator==(const NativeOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
    auto &[cpu, features] = self; // does not compile when a field is added
    visit("cpu", cpu), visit("features", features);
  }
};

/// Options of the ptx target.
struct KILN_API PtxOptions {
  static constexpr std::string_view target_name = "ptx";
  int sm = 90;                  ///< compute capability x 10: 50 ... 121 (docs/architectures.md)
  bool arch_specific = false;   ///< the a of sm_90a: features of that chip alone
  bool family_specific = false; ///< the f of sm_100f: features of its family
  int ptx_isa = 0;              ///< PTX ISA version x 10: 60 ... 90; 0: the architecture's default
  std::array<uint32_t, 3> max_threads{0, 0, 0};      ///< .maxntid; zeros: none
  std::array<uint32_t, 3> required_threads{0, 0, 0}; ///< .reqntid; zeros: none
  std::array<uint32_t, 3> cluster{
      0, 0, 0};            ///< blocks of a cluster, .reqnctapercluster (sm_90); zeros: what the launch says
  uint32_t min_blocks = 0; ///< .minnctapersm; 0: none
  uint32_t max_registers = 0; ///< .maxnreg; 0: none
  /// Bytes of one access of a coarse entry (CompilerConfig::coarsen): 16, or 32. Architectures before sm_100
  /// and PTX before 8.8 stay with 16.
  uint32_t coarse_bytes = 16;

  bool operator==(const PtxOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
    auto &[sm, arch_specific, family_specific, ptx_isa, max_threads, required_threads, cluster, min_blocks,
           max_registers, coarse_bytes] = self;
    visit("sm", sm), visit("arch_specific", arch_specific), visit("family_specific", family_specific);
    visit("ptx_isa", ptx_isa);
    visit("max_threads", max_threads), visit("required_threads", required_threads), visit("cluster", cluster);
    visit("min_blocks", min_blocks), visit("max_registers", max_registers);
    visit("coarse_bytes", coarse_bytes);
  }
};

/// A struct of a target's options.
template <class T>
concept TargetOptions = std::is_same_v<std::remove_cvref_t<decltype(T::target_name)>, std::string_view> &&
                        std::equality_comparable<T> && std::is_copy_constructible_v<T>;

/// Sees a target's options one by one, by name: keys, JSON and messages are made so.
class KILN_API TargetOptionVisitor {
public:
  virtual ~TargetOptionVisitor() = default;
  virtual void option(std::string_view name, bool value) = 0;
  virtual void option(std::string_view name, int64_t value) = 0;
  virtual void option(std::string_view name, std::string_view value) = 0;
  virtual void option(std::string_view name, std::span<const uint32_t> values) = 0;
};

namespace detail {

/// Options of one target or another.
class KILN_API AnyTargetOptions {
public:
  virtual ~AnyTargetOptions() = default;
  virtual std::string_view target_name() const = 0;
  /// The type of the options. Compared by its name: program and library may each have a vtable of it, so that
  /// a dynamic_cast, which may compare those, would not do.
  virtual const std::type_info &type() const = 0;
  virtual bool equals(const AnyTargetOptions &other) const = 0;
  virtual void visit(TargetOptionVisitor &visitor) const = 0;
};

template <TargetOptions Options> class TargetOptionsOf;
/// Null if they are another target's.
template <TargetOptions Options> const Options *options_in(const AnyTargetOptions &any) {
  return any.type() == typeid(Options) ? &static_cast<const TargetOptionsOf<Options> &>(any).value : nullptr;
}

template <TargetOptions Options> class KILN_API TargetOptionsOf final : public AnyTargetOptions {
public:
  explicit TargetOptionsOf(Options options) : value(std::move(options)) {}
  std::string_view target_name() const override { return Options::target_name; }
  const std::type_info &type() const override { return typeid(Options); }
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

} // namespace detail

/// Fusing of a product and the sum that takes it into one operation, which rounds once.
enum class Contraction : uint8_t {
  Default, ///< as TargetCapabilities::fuses_operations: off on CPUs, on for ptx
  Off,
  On
};
inline constexpr std::string_view contraction_names[] = {"default", "off", "on"}; ///< by Contraction

/// A target and its options. Copies share the options until one of them is edited. By default the native
/// target as the host is.
class TargetSpec {
public:
  TargetSpec() = default;
  template <TargetOptions Options>
  TargetSpec(Options options)
      : options_(std::make_shared<detail::TargetOptionsOf<Options>>(std::move(options))) {}

  std::string_view name() const { return any().target_name(); }
  template <TargetOptions Options> bool is() const { return detail::options_in<Options>(any()) != nullptr; }
  /// The options. The spec must be of this target (`is`).
  template <TargetOptions Options> const Options &get() const {
    const Options *options = detail::options_in<Options>(any());
    assert(options && "the options of another target");
    return *options;
  }
  /// The options, to be changed; those of another target are replaced by this one's defaults. Valid until the
  /// spec is copied or assigned.
  template <TargetOptions Options> Options &edit() {
    Options options = is<Options>() ? get<Options>() : Options();
    auto own = std::make_shared<detail::TargetOptionsOf<Options>>(std::move(options));
    Options &value = own->value;
    options_ = std::move(own);
    return value;
  }
  void visit(TargetOptionVisitor &visitor) const { any().visit(visitor); }

  bool operator==(const TargetSpec &other) const {
    return fast_math == other.fast_math && contract == other.contract &&
           (options_ == other.options_ || any().equals(other.any()));
  }

  /// Whether code generation may fuse products and sums; `by_default` is
  /// TargetCapabilities::fuses_operations.
  bool contracts(bool by_default) const {
    return fast_math || (contract == Contraction::Default ? by_default : contract == Contraction::On);
  }

  bool fast_math = false; ///< all floating-point operations of the job may be relaxed
  /// Of products and sums that the source writes apart. `muladd` and `@fastmath` fuse with Off, too.
  Contraction contract = Contraction::Default;

private:
  const detail::AnyTargetOptions &any() const {
    static const detail::TargetOptionsOf<NativeOptions> defaults{NativeOptions()};
    return options_ ? *options_ : defaults;
  }
  std::shared_ptr<const detail::AnyTargetOptions> options_; ///< null: NativeOptions()
};

} // namespace kiln
