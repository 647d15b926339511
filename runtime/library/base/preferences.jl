# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: Preferences
# Reads the preferences of packages from Project.toml and LocalPreferences.toml in the load path. Cannot write them.

module Preferences
__settled(x) = x
__settled(x::Tuple) = [x...]
load_preference(m::Module, key::String, default=nothing) = __settled(Base.__preference(m, key, default))
has_preference(m::Module, key::String) = load_preference(m, key) !== nothing
function set_preferences!(args...; kwargs...)
    error("Kiln reads preferences and writes none: write them into LocalPreferences.toml")
end
delete_preferences!(args...; kwargs...) = set_preferences!()
macro load_preference(key, default=nothing)
    :(load_preference($(esc(:(@__MODULE__))), $(esc(key)), $(esc(default))))
end
macro has_preference(key)
    :(has_preference($(esc(:(@__MODULE__))), $(esc(key))))
end
macro set_preferences!(pairs...)
    :(set_preferences!())
end
macro delete_preferences!(keys...)
    :(set_preferences!())
end
export load_preference, has_preference, set_preferences!, delete_preferences!, @load_preference, @has_preference, @set_preferences!,
       @delete_preferences!
end
