module Many
has(::Val) = false
end
