// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <host/host.h>
#include <kiln/result.h>

#include <memory>
#include <string>
#include <string_view>

namespace kiln {

class NativeLoader;

/// One loaded object. Its memory goes with the last owner, which may outlive the loader.
class NativeCode final : public HostCode {
public:
  ~NativeCode() override;

private:
  friend class NativeLoader;
  struct State;
  NativeCode(std::unique_ptr<State> state, void *entry, uint64_t bytes);
  std::unique_ptr<State> state_;
};

/// Links objects into this process. Thread-safe. Creating one is cheap: ORC starts with the first object.
class NativeLoader {
public:
  /// `visible`: is told of what is loaded; null: nobody is. `functions`: that the objects may call; null:
  /// none.
  explicit NativeLoader(std::shared_ptr<VisibleCode> visible = {},
                        std::shared_ptr<HostFunctions> functions = {});
  ~NativeLoader();
  /// Loads an object file's bytes (copied) and finds `entry`. Undefined symbols are looked up in this process
  /// (libm, libc) and among Kiln's own functions for compiled code. Errors: HostFunctionMissing; Internal,
  /// naming symbols that are missing.
  Result<std::shared_ptr<NativeCode>> load(std::string_view object, const std::string &entry);

private:
  struct State;
  std::shared_ptr<State> state_; ///< the loaded objects' too
  friend struct NativeCode::State;
};

} // namespace kiln
