// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "redis_connection.h"

namespace kiln {

/// Leases in Redis: the key kiln:1:lease:NAME holds TOKEN:BEAT:NONCE and expires with the lease. The counter
/// kiln:1:tokens makes tokens. They have a connection of their own.
std::shared_ptr<LeaseServer> make_redis_leases(EventLoop &loop, const RemoteUrl &url,
                                               std::shared_ptr<HelperThread> resolver);

/// The value of a lease's key. No value: it is none.
std::optional<LeaseView> read_lease_value(std::string_view text);

} // namespace kiln
