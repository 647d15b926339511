// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <host/host.h>
#include <kiln/result.h>

#include <memory>
#include <string>
#include <string_view>

namespace kiln {

class NativeLoader;

/// One loaded object. The last owner frees its memory, possibly after the loader was destroyed.
class NativeCode final : public HostCode {
public:
  ~NativeCode() override;

private:
  friend class NativeLoader;
  struct State;
  NativeCode(std::unique_ptr<State> state, void *entry, uint64_t bytes);
  std::unique_ptr<State> state_;
};

/// Links objects into this process. Thread-safe. Construction is cheap, since ORC starts with the first
/// object.
class NativeLoader {
public:
  /// `visible`: registers loaded code with gdb and perf; null: no registration. `functions`: host functions
  /// that objects may call; null: none.
  explicit NativeLoader(std::shared_ptr<VisibleCode> visible = {},
                        std::shared_ptr<HostFunctions> functions = {});
  ~NativeLoader();
  /// Loads an object file, whose bytes are copied, and finds the symbol `entry`. Undefined symbols may be
  /// functions of this process (libm, libc) or Kiln's own functions for compiled code. Errors:
  /// HostFunctionMissing; Internal, with the missing symbols.
  Result<std::shared_ptr<NativeCode>> load(std::string_view object, const std::string &entry);

private:
  struct State;
  std::shared_ptr<State> state_; ///< shared with loaded objects
  friend struct NativeCode::State;
};

} // namespace kiln
