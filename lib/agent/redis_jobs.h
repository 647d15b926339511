// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "redis_connection.h"

namespace kiln {

/// Makes queues of jobs in Redis, with a connection of their own. The hash kiln:1:queue:NAME contains the
/// digest of the list of jobs. For each job that was taken it contains "d" (done), "f" (failed), or the
/// number of attempts. It expires an hour after its last change. While a worker holds a job, the key
/// kiln:1:queue:NAME:JOB contains NONCE:BEATS.
std::shared_ptr<JobServer> make_redis_jobs(EventLoop &loop, const RemoteUrl &url,
                                           std::shared_ptr<HelperThread> resolver);

} // namespace kiln
