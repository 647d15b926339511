# A kernel has no integers of more than 128 bits.
function f(y)
    y[1] = 170141183460469231731687303715884105728 % Int64
    return
end
