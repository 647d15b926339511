using A, B
f(o) = (o[1] = A.value(); o[2] = B.alone(); nothing)
