# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as numba.cuda's users write them: control flow, functions, memory, atomics, views. What each has to give stands beside it, by hand."""

import enum
import operator

import numpy as np
import pytest

import kiln
from kiln import cuda, float32

N = 16
class Color(enum.IntEnum):
    RED=1; BLUE=2
TAB = np.arange(10, dtype=np.float32)*2
cfg=(1,2,3)
def helper(a, b=3, *, k=None): return a
def dev(a, b=2): return a*10+b
@cuda.jit(device=True)
def dev2(x): return x+1, x*2
@cuda.jit(device=True, inline=True)
def rec(n):
    if n <= 1:
        return 1
    return n * rec(n-1)
def vsum(*args):
    s = 0
    for a in args: s += a
    return s
tests=[]
def T(shape=4, dtype=np.float64, grid=1, block=4, expect=None, args=()):
    def deco(f):
        tests.append((f, shape, dtype, grid, block, expect, args)); return f
    return deco

@T(expect=[0,1,2,3])
def ids(y):
    i = cuda.threadIdx.x; y[i]=i
@T(expect=[2,13,24,35])
def device_default(y):
    i = cuda.grid(1); y[i]=dev(i)+i
@T(expect=[32,33,34,35])
def device_kw(y):
    i = cuda.grid(1); y[i]=dev(b=i+2, a=3)
@T(expect=[1,4,7,10])
def unpack(y):
    i = cuda.grid(1); a, b = dev2(i); y[i]=a+b
@T(expect=[1,1,2,6])
def recursion(y):
    i = cuda.grid(1); y[i]=rec(i)
@T(expect=[6,7,8,9])
def star(y):
    i = cuda.grid(1); t=(1,2,i); y[i]=vsum(3,*t)
@T(expect=[0,2,4,6])
def const_array(y):
    i = cuda.grid(1); y[i]=TAB[i]
@T(expect=[0,2,4,6])
def const_array2(y):
    i = cuda.grid(1); c = cuda.const.array_like(TAB); y[i]=c[i]
@T(expect=[3,2,1,0])
def shared(y):
    s = cuda.shared.array(N//4, dtype=float32)
    i = cuda.threadIdx.x
    s[i]=i
    cuda.syncthreads()
    y[i]=s[3-i]
@T(expect=[6,6,6,6])
def local(y):
    i = cuda.grid(1)
    t = cuda.local.array(shape=(2,2), dtype=np.float32)
    for a in range(2):
        for b in range(2): t[a,b]=a*2+b
    s=0.
    for r in t:
        for e in r: s+=e
    y[i]=s
@T(expect=[6,0,0,0])
def atomics(y):
    cuda.atomic.add(y, 0, cuda.threadIdx.x)
@T(expect=[3,0,0,0])
def atomic_max(y):
    cuda.atomic.max(y, 0, float(cuda.threadIdx.x))
@T(expect=[1,2,3,3], dtype=np.int32, block=32, shape=32)
def shfl(y):
    i = cuda.laneid
    v = cuda.shfl_down_sync(0xffffffff, i, 1)
    if i < 4: y[i] = v if i<3 else 3
@T(expect=[1,1,0,0])
def enums(y):
    y[0] = Color.RED
    y[1] = 1 if Color.BLUE == 2 else 0
@T(expect=[11,12,13,14])
def slices(y):
    i = cuda.grid(1)
    v = y[1:]
    if i==0:
        for k in range(v.shape[0]): v[k]=12+k
        y[0]=11
@T(expect=[5,5,0,0])
def fill(y):
    y[:2]=5
@T(expect=[1,7,1,7])
def whileelse(y):
    i=cuda.grid(1)
    k=0
    while k<5:
        if i%2==0 and k==3: 
            y[i]=1
            break
        k+=1
    else:
        y[i]=7
@T(expect=[0,1,3,6])
def walrus(y):
    i=cuda.grid(1); n=0; s=0
    while (n:=n+1)<=i: s+=n
    y[i]=s
@T(expect=[10,20,30,99])
def matchit(y):
    i=cuda.grid(1)
    match i:
        case 0: y[i]=10
        case 1: y[i]=20
        case 2|5: y[i]=30
        case _: y[i]=99
@T(expect=[0,2,4,6])
def nested(y):
    i=cuda.grid(1)
    k=2
    def inner(x): return x*k
    y[i]=inner(i)
@T(expect=[1,2,3,4])
def lam(y):
    i=cuda.grid(1)
    f=lambda x: x+1
    y[i]=f(i)
@T(expect=[3,3,3,3])
def ndim(y):
    i=cuda.grid(1)
    if y.ndim==2: y[i,0]=1
    elif len(cfg)==3: y[i]=3
@T(expect=[3,6,0,0])
def tup(y):
    t=(1,2.5,3)
    y[0]=t[2]; y[1]=t[0]+t[-1]+cfg[1]
@T(expect=[3,3,3,3])
def swaps(y):
    a,b=1,2
    a,b=b,a
    c=d=a+b
    y[cuda.grid(1)]=d
@T(expect=[0,11,22,33])
def enumz(y):
    if cuda.grid(1)==0:
        for i,(a,b) in enumerate(zip((0,1,2,3),(0,10,20,30))): y[i]=a+b
@T(expect=[2,0,0,0])
def cplx(y):
    z=complex(1,1)
    y[0]=(z*z).imag
    y[1]=abs(z.real-1)
@T(expect=[8,4,0,0])
def bits(y):
    y[0]=cuda.popc(255); y[1]=cuda.ffs(8)
@T(expect=[-1,3,0,0])
def neg_index(y):
    y[-4]=-1; y[-3]=3
@T(expect=[1,0,0,0])
def isnone(y):
    x=None
    if x is None: y[0]=1
    else: y[0]=x.foo
@T(expect=[0,1,2,3],shape=(2,2),block=(2,2))
def grid2(y):
    i,j=cuda.grid(2); y[i,j]=i*2+j
@T(expect=[1,0,0,0])
def invals(y):
    y[0] = 3 in (1,2,3)
    y[1] = 4 in [1,2,3]
@T(expect=[5,0,0,0])
def fops(y):
    f=operator.add
    y[0]=f(2,3)
@T(expect=[1,2,0,0])
def listiter(y):
    k=0
    for v in [1, 2.0]:
        y[k]=v; k+=1
@T(expect=[4,4,4,4])
def attr(y):
    y[cuda.grid(1)]=y.size*y.strides[0]//8
@T(expect=[1,5,2,6],shape=(4,),block=1)
def transpose(y):
    b=cuda.local.array((2,2),np.int32)
    b[0,0]=1;b[0,1]=2;b[1,0]=5;b[1,1]=6
    k=0
    for r in b.T:
        for e in r:
            y[k]=e;k+=1
@T(expect=[0,0,1,1])
def boolop(y):
    i=cuda.grid(1)
    y[i]= (i>1) and not (i>5)
@T(expect=[10,0,0,0])
def methods(y):
    t=cuda.local.array(4,np.int64)
    for i in range(4): t[i]=i+1
    if cuda.grid(1)==0: y[0]=t.sum()

@pytest.mark.parametrize("case", tests, ids=lambda case: case[0].__name__)
def test_kernel(case):
    function, shape, dtype, grid, block, expect, args = case
    y = np.zeros(shape, dtype)
    cuda.jit(function)[grid, block](y, *args)
    assert y.ravel()[: len(expect)].tolist() == expect


def test_device_function_runs_on_the_host():
    assert dev2(3) == (4, 6)


def test_cpu_device():
    @kiln.jit(device="cpu")
    def scale(y, a):
        i = cuda.grid(1)
        if i < y.size:
            y[i] *= a

    y = np.arange(100, dtype=np.float32)
    scale[4, 32](y, 3)
    assert np.array_equal(y, np.arange(100) * 3)


@pytest.mark.parametrize("order", ["C", "F", "A"])
def test_layouts(order):
    @cuda.jit
    def copy(y, x):
        i, j = cuda.grid(2)
        y[i, j] = x[i, j]

    x = np.arange(24.0).reshape(4, 6)
    x = {"C": x, "F": np.asfortranarray(x), "A": np.arange(96.0).reshape(8, 12)[::2, 11::-2]}[order]
    y = np.zeros((4, 6))
    copy[1, (4, 6)](y, x)
    assert np.array_equal(y, x)


VIEWS = ["[1:3]", "[:, 1:3]", "[::2]", "[::-1, ::-2]", "[1]", "[-1]", "[..., 1]", "[None, 2]", "[1, ...]", "[2:100]", "[5:2]", "[-3:-1, None]", ".T", "[1:, 1:].T"]


@pytest.mark.parametrize("view", VIEWS)
def test_views(view, tmp_path):
    text = f"def probe(y, shape, x):\n    v = x{view}\n    for k in range(v.ndim):\n        shape[k] = v.shape[k]\n    k = 0\n    for e in v.flat:\n        y[k] = e\n        k += 1\n"
    name = f"<view {view}>"
    kiln.register_source(name, text)
    made = {}
    exec(compile(text, name, "exec"), made)
    for x in (np.arange(30.0).reshape(5, 6), np.asfortranarray(np.arange(30.0).reshape(5, 6))):
        y, shape = np.zeros(60), np.zeros(4, np.int64)
        cuda.jit(made["probe"])[1, 1](y, shape, x)
        wanted = eval("x" + view, {"x": x})
        assert tuple(shape[: wanted.ndim]) == wanted.shape
        assert np.array_equal(y[: wanted.size], wanted.ravel())


def test_frozen_when_first_compiled():
    def make(scale):
        @cuda.jit
        def kernel(y):
            y[0] = scale

        return kernel

    y = np.zeros(1)
    for scale in (1, 2.5, np.float32(3)):
        make(scale)[1, 1](y)
        assert y[0] == scale


plus_one = lambda x: x + 1  # noqa: E731
twice = lambda x: x * 2  # noqa: E731
pair = (lambda x: x - 1, lambda x: x * 10)


def test_lambdas_of_one_file_and_of_one_line_are_apart():
    first, second = pair

    @cuda.jit
    def kernel(out):
        out[0], out[1], out[2], out[3] = plus_one(5), twice(5), first(5), second(5)

    out = np.zeros(4)
    kernel[1, 1](out)
    assert out.tolist() == [6, 10, 4, 50]
    several = [lambda x: x + 1, lambda x: x + 2]
    for k, function in enumerate(several):
        out = np.zeros(1)
        made = cuda.jit(device=True)(function)

        @cuda.jit
        def one(out):
            out[0] = made(1)

        one[1, 1](out)
        assert out[0] == 2 + k
