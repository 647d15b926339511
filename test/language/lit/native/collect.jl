# Lists made with an element type hold elements of that type, converted as Julia's collect does.
# RUN: %kiln run %s second --no-kernel --arg 'collect(Float32, 1:64)' | %filecheck %s --check-prefix=FLOAT
# FLOAT: 2.0f0
# RUN: %kiln run %s second --no-kernel --arg 'collect(Int8, (1, 2.0))' | %filecheck %s --check-prefix=BYTE
# BYTE: {{^}}2{{$}}
# RUN: %status 1 %kiln run %s second --no-kernel --arg 'collect(Int8, [1, 2.5])' 2>&1 | %filecheck %s --check-prefix=INEXACT
# INEXACT: InexactError
# RUN: %kiln run %s last_of_64 --arg 'collect(Float32, 1:64)' --threads 64
second(y) = y[2]
function last_of_64(y)
    i = threadIdx().x
    y[i] == i || error("wrong element")
    return
end
