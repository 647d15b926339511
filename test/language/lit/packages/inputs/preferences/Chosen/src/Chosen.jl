# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module Chosen
using Preferences

const backend = @load_preference("backend", "default")
const threads = @load_preference("threads", 1)
const missing_one = @load_preference("nothing of that name")
@static if backend == "local"
    scaled(x) = x * @load_preference("factor", 1.0)
else
    scaled(x) = x
end
sizes() = load_preference(Chosen, "sizes", Int[])
has(name) = has_preference(Chosen, name)
nested() = @load_preference("nested")
store() = @set_preferences!("backend" => "other")
end
