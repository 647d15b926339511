// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of host functions (kiln/host_function.h) that loaded code calls.
#pragma once

#include <kiln/host_function.h>
#include <kiln/result.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace kiln {

/// Thread-safe. Loaded code holds it, since it reads the addresses out of it.
class HostFunctions {
public:
  /// An address, or null. Error: the embedder's, which ends the loading.
  using Find = std::function<Result<void *>(const std::string &name)>;
  explicit HostFunctions(HostSymbols symbols = {}, Find find = {})
      : symbols_(std::move(symbols)), find_(std::move(find)) {}

  /// `signature`: as the code's symbols have it behind the name. Calls from now on go to `address`.
  void define(const std::string &name, const std::string &signature, void *address);
  /// The variable that code with this symbol reads, "f" or "f(Float64)::Int32" behind
  /// abi::HostFunctionPrefix. It stays where it is. Errors: HostFunctionMissing; Find's.
  Result<std::atomic<void *> *> cell(std::string_view symbol);

private:
  std::atomic<void *> *find_cell(std::string_view symbol) const; ///< under the mutex
  const HostSymbols symbols_;
  const Find find_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::atomic<void *>>, std::less<>> cells_; ///< under the mutex
};

} // namespace kiln
