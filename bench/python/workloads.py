# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workloads of run_time.py and cpu.py: kernels for numba.cuda and Kiln alike, and the same by numba's prange."""

KERNELS = '''
@cuda.jit
def saxpy(y, x, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@cuda.jit
def heat(out, t, c):
    i, j = cuda.grid(2)
    if 0 < i < t.shape[0] - 1 and 0 < j < t.shape[1] - 1:
        out[i, j] = t[i, j] + c * (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1] - float32(4) * t[i, j])


@cuda.jit
def product(c, a, b):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        s = float32(0)
        for k in range(a.shape[1]):
            s += a[i, k] * b[k, j]
        c[i, j] = s


@cuda.jit
def tiled_product(c, a, b):
    ta = cuda.shared.array((16, 16), float32)
    tb = cuda.shared.array((16, 16), float32)
    i, j = cuda.grid(2)
    ti, tj = cuda.threadIdx.x, cuda.threadIdx.y
    s = float32(0)
    for k in range(0, a.shape[1], 16):
        ta[ti, tj] = a[i, k + tj]
        tb[ti, tj] = b[k + ti, j]
        cuda.syncthreads()
        for l in range(16):
            s += ta[ti, l] * tb[l, tj]
        cuda.syncthreads()
    c[i, j] = s


@cuda.jit
def block_sums(out, x):
    part = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    s = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        s += x[i]
    part[t] = s
    cuda.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


@cuda.jit
def histogram(h, x):
    part = cuda.shared.array(256, int32)
    part[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(part, x[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(h, cuda.threadIdx.x, part[cuda.threadIdx.x])


@cuda.jit
def mandelbrot(out, steps):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        re, im = -2.0 + 3.0 * j / out.shape[1], -1.0 + 2.0 * i / out.shape[0]
        x = y = 0.0
        n = 0
        while n < steps and x * x + y * y < 4.0:
            x, y = x * x - y * y + re, 2.0 * x * y + im
            n += 1
        out[i, j] = n


@cuda.jit
def black_scholes(call, put, price, strike, years):
    i = cuda.grid(1)
    if i < call.size:
        s, k, t = price[i], strike[i], years[i]
        root = math.sqrt(t)
        d1 = (math.log(s / k) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * root)
        d2 = d1 - 0.3 * root
        n1, n2 = 0.5 * math.erfc(-d1 * 0.7071067811865476), 0.5 * math.erfc(-d2 * 0.7071067811865476)
        discount = k * math.exp(-0.02 * t)
        call[i] = s * n1 - discount * n2
        put[i] = discount * (1.0 - n2) - s * (1.0 - n1)


@cuda.jit
def bodies(force, where):
    i = cuda.grid(1)
    if i < where.shape[0]:
        x, y, z = where[i, 0], where[i, 1], where[i, 2]
        fx = fy = fz = float32(0)
        for j in range(where.shape[0]):
            dx, dy, dz = where[j, 0] - x, where[j, 1] - y, where[j, 2] - z
            d = dx * dx + dy * dy + dz * dz + float32(1e-3)
            w = float32(1) / (d * math.sqrt(d))
            fx += dx * w
            fy += dy * w
            fz += dz * w
        force[i, 0], force[i, 1], force[i, 2] = fx, fy, fz


@cuda.jit
def transpose(out, x):
    tile = cuda.shared.array((16, 17), float32)
    i, j = cuda.grid(2)
    tile[cuda.threadIdx.x, cuda.threadIdx.y] = x[i, j]
    cuda.syncthreads()
    out[cuda.blockIdx.y * 16 + cuda.threadIdx.x, cuda.blockIdx.x * 16 + cuda.threadIdx.y] = tile[cuda.threadIdx.y, cuda.threadIdx.x]
'''

PRANGE = '''
@njit(parallel=True)
def saxpy(y, x, a):
    for i in prange(y.size):
        y[i] = a * x[i] + y[i]


@njit(parallel=True)
def heat(out, t, c):
    for i in prange(1, t.shape[0] - 1):
        for j in range(1, t.shape[1] - 1):
            out[i, j] = t[i, j] + c * (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1] - float32(4) * t[i, j])


@njit(parallel=True)
def product(c, a, b):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            s = float32(0)
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@njit(parallel=True)
def mandelbrot(out, steps):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            re, im = -2.0 + 3.0 * j / out.shape[1], -1.0 + 2.0 * i / out.shape[0]
            x = y = 0.0
            n = 0
            while n < steps and x * x + y * y < 4.0:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                n += 1
            out[i, j] = n


@njit(parallel=True)
def black_scholes(call, put, price, strike, years):
    for i in prange(call.size):
        s, k, t = price[i], strike[i], years[i]
        root = math.sqrt(t)
        d1 = (math.log(s / k) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * root)
        d2 = d1 - 0.3 * root
        n1, n2 = 0.5 * math.erfc(-d1 * 0.7071067811865476), 0.5 * math.erfc(-d2 * 0.7071067811865476)
        discount = k * math.exp(-0.02 * t)
        call[i] = s * n1 - discount * n2
        put[i] = discount * (1.0 - n2) - s * (1.0 - n1)


@njit(parallel=True)
def bodies(force, where):
    for i in prange(where.shape[0]):
        x, y, z = where[i, 0], where[i, 1], where[i, 2]
        fx = fy = fz = float32(0)
        for j in range(where.shape[0]):
            dx, dy, dz = where[j, 0] - x, where[j, 1] - y, where[j, 2] - z
            d = dx * dx + dy * dy + dz * dz + float32(1e-3)
            w = float32(1) / (d * math.sqrt(d))
            fx += dx * w
            fy += dy * w
            fz += dz * w
        force[i, 0], force[i, 1], force[i, 2] = fx, fy, fz
'''

# Sizes of the workloads: on a GPU, on the CPU, for the simulator (a thread of Python for each of the kernel's).
SIZES = {
    "saxpy": (1 << 26, 1 << 22, 1 << 9), "heat": (8192, 1536, 24), "product": (1024, 256, 16), "tiled_product": (2048, 256, 32), "block_sums": (1 << 26, 1 << 22, 1 << 11),
    "histogram": (1 << 26, 1 << 22, 1 << 11), "mandelbrot": (2048, 512, 16), "black_scholes": (1 << 24, 1 << 18, 1 << 9), "bodies": (1 << 15, 1 << 11, 1 << 8), "transpose": (8192, 1024, 32),
}  # fmt: skip


def made(name, n, numpy):
    """(grid, block, arguments in NumPy's arrays, number of results that stand first) of a workload."""
    random = numpy.random.default_rng(7)
    f4 = lambda *shape: random.random(shape, numpy.float32)  # noqa: E731
    tiles = ((n + 15) // 16, (n + 15) // 16)
    if name == "saxpy":
        return n // 256, 256, (f4(n), f4(n), numpy.float32(2)), 1
    if name == "heat":
        return ((n + 7) // 8, (n + 31) // 32), (8, 32), (numpy.zeros((n, n), numpy.float32), f4(n, n), numpy.float32(0.1)), 1
    if name in ("product", "tiled_product"):
        return tiles, (16, 16), (numpy.zeros((n, n), numpy.float32), f4(n, n), f4(n, n)), 1
    if name == "block_sums":
        return min(1024, n // 256), 256, (numpy.zeros(min(1024, n // 256), numpy.float32), f4(n)), 1
    if name == "histogram":
        return min(1024, n // 256), 256, (numpy.zeros(256, numpy.int32), random.integers(0, 256, n, numpy.int32)), 1
    if name == "mandelbrot":
        return tiles, (16, 16), (numpy.zeros((n, n), numpy.int32), 100), 1
    if name == "black_scholes":
        return n // 256, 256, (numpy.zeros(n), numpy.zeros(n), 5 + 25 * random.random(n), 1 + 99 * random.random(n), 0.25 + 9.75 * random.random(n)), 2
    if name == "bodies":
        return n // 128, 128, (numpy.zeros((n, 3), numpy.float32), f4(n, 3)), 1
    return (n // 16, n // 16), (16, 16), (numpy.zeros((n, n), numpy.float32), f4(n, n)), 1


def compiled(text, path, scope):
    """The functions of a text, in a file that has it."""
    import math

    with open(path, "w") as file:
        file.write(text)
    names = {"math": math, "__name__": "workloads_made", **scope}
    exec(compile(text, path, "exec"), names)
    return names
