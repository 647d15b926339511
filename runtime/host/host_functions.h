// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table of the addresses of host functions (kiln/host_function.h), which loaded code reads.
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

/// Address table. Loaded code owns a reference to it, since the code reads the addresses at each call.
/// Thread-safe.
class HostFunctions {
public:
  /// The embedder's look-up: returns an address, or null. Its error fails the load.
  using Find = std::function<Result<void *>(const std::string &name)>;
  explicit HostFunctions(HostSymbols symbols = {}, Find find = {})
      : symbols_(std::move(symbols)), find_(std::move(find)) {}

  /// Sets the address for all later calls of the function. `signature`: the part of the symbol after the
  /// name.
  void define(const std::string &name, const std::string &signature, void *address);
  /// Returns the variable that holds the address for a symbol. The symbol is "f" or "f(Float64)::Int32",
  /// after abi::HostFunctionPrefix. The variable does not move. Errors: HostFunctionMissing; those of Find.
  Result<std::atomic<void *> *> cell(std::string_view symbol);

private:
  std::atomic<void *> *find_cell(std::string_view symbol) const; ///< call under the mutex
  const HostSymbols symbols_;
  const Find find_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::atomic<void *>>, std::less<>> cells_; ///< under the mutex
};

} // namespace kiln
