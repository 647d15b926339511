module WideBothExt
import Wide
using Deep, KernelAbstractions
struct Marker end
Wide.both(x) = depth(x) + 1000
end
