// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target that answers like a CPU or like a GPU and does nothing of its own, for tests of the components
// below targets.
#pragma once

#include <job/job.h>

namespace kiln::test {

class FakeTarget : public Target {
public:
  enum class Like : uint8_t { Cpu, Gpu };
  explicit FakeTarget(Like like) : like_(like) {}
  std::string_view name() const override { return "fake"; }
  std::string_view version() const override { return "1"; }
  Result<TargetSpec> check(TargetSpec spec) const override { return spec; }
  std::string triple(const TargetSpec &) const override {
    return is_gpu() ? "nvptx64-nvidia-cuda" : "x86_64-unknown-linux-gnu";
  }
  std::string cpu(const TargetSpec &) const override { return is_gpu() ? "sm_90" : ""; }
  std::string features(const TargetSpec &) const override { return is_gpu() ? "+ptx85" : ""; }
  std::string data_layout(const TargetSpec &) const override {
    return is_gpu() ? "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
                    : "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
  }
  TargetCapabilities capabilities(const TargetSpec &spec) const override {
    if (!is_gpu()) return {};
    return {.runs_on_host = false,
            .kernel_state = KernelStateType::ExceptionRecord,
            .convergent_calls = true,
            .can_check_accesses = false,
            .can_interrupt = false,
            .address_spaces = true,
            .max_atomic_bytes = 8,
            .atomic_scope = "device",
            .read_only_loads = true,
            .nan_minmax = sm(spec) >= 80,
            .fuses_operations = true,
            .fast_math_flushes = true,
            .vectorizes_loops = false,
            .inline_limit = 600,
            .one_line_an_instruction = true,
            .makes_objects = false,
            .makes_cubins = true,
            .assembly_extension = "ptx"};
  }

private:
  bool is_gpu() const { return like_ == Like::Gpu; }
  static int sm(const TargetSpec &spec) { return spec.is<PtxOptions>() ? spec.get<PtxOptions>().sm : 90; }
  Like like_;
};

} // namespace kiln::test
