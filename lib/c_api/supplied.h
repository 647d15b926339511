// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts objects that an embedder supplies as C structures (such as executors and stores) to classes of the
// C++ API.
#pragma once

#include <kiln/c_frontend.h>
#include <kiln/kiln.h>

namespace kiln::c {

// Each function below returns an object of the C++ API that calls the embedder's functions. Errors: Usage for
// an unknown struct_size, or if a required function is missing.
Result<std::shared_ptr<CpuExecutor>> read_executor(const kiln_executor &given);
Result<std::shared_ptr<DeviceAllocator>> read_device_allocator(const kiln_device_allocator &given);
Result<std::shared_ptr<CacheStore>> read_store(const kiln_store &given);
Result<FrontendFactory> read_language(const kiln_language &given);

} // namespace kiln::c
