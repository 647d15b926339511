# The package of a project that is wrong.
using P
f(x) = x
