module Wide
import Deep: depth
export width
width(x) = 10 * depth(x)
both(x) = 0
none(x) = 0
const state = Ref(0)
function __init__()
    state[] = 41
end
end
