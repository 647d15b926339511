// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder supplies in C, as the C++ API takes it.
#pragma once

#include <kiln/c_frontend.h>
#include <kiln/kiln.h>

namespace kiln::c {

// Errors: Usage, for a size that no version had, and for functions that are missing.
Result<std::shared_ptr<CpuExecutor>> read_executor(const kiln_executor &given);
Result<std::shared_ptr<DeviceAllocator>> read_device_allocator(const kiln_device_allocator &given);
Result<std::shared_ptr<CacheStore>> read_store(const kiln_store &given);
Result<FrontendFactory> read_language(const kiln_language &given);

} // namespace kiln::c
