// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "redis_connection.h"

namespace kiln {

/// Queues of jobs in Redis, with a connection of their own. The hash kiln:1:queue:NAME contains the list's
/// digest. For each taken job it contains "d" (done), "f" (failed), or the number of attempts. It expires an
/// hour after the last change. The key kiln:1:queue:NAME:JOB contains NONCE:BEATS while a worker holds the
/// job.
std::shared_ptr<JobServer> make_redis_jobs(EventLoop &loop, const RemoteUrl &url,
                                           std::shared_ptr<HelperThread> resolver);

} // namespace kiln
