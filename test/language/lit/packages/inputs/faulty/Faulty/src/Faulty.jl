module Faulty
export works_too, lacks
works(x) = x + 1
lacks(x::NoSuchType) = 1
works_too(x) = works(x) + 1
function __init__()
    no_such_function_at_all()
end
end
