// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State behind the public handles of kiln/bundle.h.
#pragma once

#include "reader.h"

#include <devices/devices.h>
#include <kiln/bundle.h>
#include <support/exceptions.h>

#include <map>
#include <mutex>

namespace kiln {

struct Bundle::State {
  State(std::shared_ptr<const BundleReader> opened, const BundleOptions &given)
      : reader(std::move(opened)), options(given),
        host_functions(std::make_shared<HostFunctions>(given.symbols, find_of(given))) {}
  static HostFunctions::Find find_of(const BundleOptions &given) {
    if (!given.find_symbol) return {};
    return [find = given.find_symbol](const std::string &name) {
      return call_embedder("BundleOptions::find_symbol", [&]() -> Result<void *> { return find(name); });
    };
  }
  const std::shared_ptr<const BundleReader> reader;
  const BundleOptions options;
  const std::shared_ptr<HostFunctions> host_functions; ///< shared with loaded kernels
  std::mutex mutex; ///< protects the members below; held during a load, so that two callers load once
  /// Loaded kernels by index and device. Each kernel holds its device, so that no other device gets this
  /// address.
  std::map<std::pair<uint32_t, const Device::State *>, Kernel> loaded;
  std::map<const bundle::CodeRecord *, std::shared_ptr<const Artifact>>
      artifacts; ///< for GPUs, shared by them
};

/// Architecture for messages: "x86-64-v3", "sm_90a".
std::string architecture_of(const bundle::CodeRecord &code);

} // namespace kiln
