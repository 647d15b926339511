// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features that OpenCL devices may lack. SpirvOptions::features and DeviceFacts::features list them by name.
// Source: "OpenCL SPIR-V Environment Specification", unified 3.0, tables of capabilities by extension.
#pragma once

#include <kiln/result.h>
#include <kiln/target.h>

#include <cstdint>
#include <string_view>

namespace kiln::spirv {

/// A feature: its word in options, the SPIR-V capability that needs it, and its meaning for messages.
enum class Feature : uint8_t {
#define KILN_SPIRV_FEATURE(name, ...) name,
#include "features.def"
#undef KILN_SPIRV_FEATURE
  Count
};

/// A set of features.
class Features {
public:
  bool has(Feature feature) const { return bits_ >> unsigned(feature) & 1; }
  void add(Feature feature) { bits_ |= uint64_t(1) << unsigned(feature); }

private:
  uint64_t bits_ = 0;
};

/// Reads SpirvOptions::features. An empty list means all features. Error: Usage for an unknown word.
Result<Features> read_features(std::string_view words);
/// Text for messages: "Float64 (arithmetic with 64-bit floats)".
std::string text_of(Feature feature);

} // namespace kiln::spirv
