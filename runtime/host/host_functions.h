// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of host functions (kiln/host_function.h) for loaded code.
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

/// Address table. Loaded code owns a reference, since it reads the addresses. Thread-safe.
class HostFunctions {
public:
  /// Returns an address or null. An error of the embedder fails the load.
  using Find = std::function<Result<void *>(const std::string &name)>;
  explicit HostFunctions(HostSymbols symbols = {}, Find find = {})
      : symbols_(std::move(symbols)), find_(std::move(find)) {}

  /// Sets the address for all later calls. `signature`: the part of the symbol after the name.
  void define(const std::string &name, const std::string &signature, void *address);
  /// The variable that holds the address for a symbol: "f" or "f(Float64)::Int32" after
  /// abi::HostFunctionPrefix. It does not move. Errors: HostFunctionMissing; those of Find.
  Result<std::atomic<void *> *> cell(std::string_view symbol);

private:
  std::atomic<void *> *find_cell(std::string_view symbol) const; ///< call under the mutex
  const HostSymbols symbols_;
  const Find find_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::atomic<void *>>, std::less<>> cells_; ///< under the mutex
};

} // namespace kiln
