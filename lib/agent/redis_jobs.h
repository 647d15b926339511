// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "redis_connection.h"

namespace kiln {

/// Queues of jobs in Redis. The hash kiln:1:queue:NAME holds the list's digest, and for each job that was
/// taken "d" (done), "f" (failed), or its number of attempts. It is forgotten an hour after the last change.
/// The key kiln:1:queue:NAME:JOB holds NONCE:BEATS while a worker holds the job. They have a connection of
/// their own.
std::shared_ptr<JobServer> make_redis_jobs(EventLoop &loop, const RemoteUrl &url,
                                           std::shared_ptr<HelperThread> resolver);

} // namespace kiln
