// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "redis_connection.h"

namespace kiln {

/// Makes a lease server in Redis, with a connection of its own. The key kiln:1:lease:NAME contains
/// TOKEN:BEAT:NONCE and expires with the lease. Tokens come from the counter kiln:1:tokens.
std::shared_ptr<LeaseServer> make_redis_leases(EventLoop &loop, const RemoteUrl &url,
                                               std::shared_ptr<HelperThread> resolver);

/// Parses the value of a lease's key. No value: the text is invalid.
std::optional<LeaseView> read_lease_value(std::string_view text);

} // namespace kiln
