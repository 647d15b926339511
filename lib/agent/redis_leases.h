// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "redis_connection.h"

namespace kiln {

/// Leases in Redis, with a connection of their own. The key kiln:1:lease:NAME contains TOKEN:BEAT:NONCE and
/// expires with the lease. The counter kiln:1:tokens makes tokens.
std::shared_ptr<LeaseServer> make_redis_leases(EventLoop &loop, const RemoteUrl &url,
                                               std::shared_ptr<HelperThread> resolver);

/// Parses the value of a lease's key. No value: invalid.
std::optional<LeaseView> read_lease_value(std::string_view text);

} // namespace kiln
