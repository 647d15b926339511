# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over the sources of Rotations, Quaternions, CoordinateTransformations, Distances, GeometryBasics and UnPack.
using StaticArrays, Rotations, Quaternions, CoordinateTransformations, Distances, GeometryBasics, UnPack

function store(y, at, values)
    for i in 1:length(values)
        y[at+i] = values[i]
    end
    return at + length(values)
end

function rotations(y, x)
    a, b, c = x[1] / 4, x[2] / 4, x[3] / 4
    v = SVector(x[4], x[5], x[6])
    at = store(y, 0, RotMatrix{3}(RotZ(a)) * v)
    at = store(y, at, RotXYZ(a, b, c) * v)
    at = store(y, at, AngleAxis(a, 0.0, 1.0, 0.0) * v)
    at = store(y, at, QuatRotation(RotX(a)) * v)
    at = store(y, at, RotMatrix{2}(a) * SVector(x[4], x[5]))
    at = store(y, at, inv(RotZYX(a, b, c)) * v)
    y[at+1] = rotation_angle(AngleAxis(RotY(a)))
    return
end

function quaternions(y, x)
    q = quat(x[1], x[2], x[3], x[4])
    p = Quaternion(x[5], x[6], x[7], x[8])
    i = 0
    for r in (q * p, q + 2p, inv(q), conj(q), exp(q), sign(q))
        y[i+1] = real(r)
        y[i+2] = r.v1
        y[i+3] = r.v2
        y[i+4] = r.v3
        i += 4
    end
    y[i+1] = abs(q)
    y[i+2] = abs2(p)
    return
end

function transforms(y, x)
    t = Translation(x[1], x[2], x[3])
    v = SVector(x[4], x[5], x[6])
    at = store(y, 0, t(v))
    l = LinearMap(SMatrix{3,3}(x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]))
    at = store(y, at, (t ∘ l)(v))
    p = PolarFromCartesian()(SVector(x[1], x[2]))
    s = SphericalFromCartesian()(v)
    at = store(y, at, (p.r, p.θ, s.r, s.θ, s.ϕ))
    at = store(y, at, CartesianFromPolar()(Polar(x[1], x[2])))
    a = AffineMap(SMatrix{2,2}(x[1], x[2], x[3], x[4]), SVector(x[5], x[6]))
    store(y, at, inv(a)(SVector(x[7], x[8])))
    return
end

function distances(y, x)
    a, b = SVector(x[1], x[2], x[3]), SVector(x[4], x[5], x[6])
    store(y, 0, (euclidean(a, b), sqeuclidean(a, b), cityblock(a, b), chebyshev(a, b), minkowski(a, b, 3.0), cosine_dist(a, b),
                 Euclidean()(view(x, 1:3), view(x, 4:6)), haversine((x[1], x[2]), (x[3], x[4]), 6371.0)))
    return
end

struct Named
    a::Float64
    b::Float64
end
function points(y, x)
    p = Point3f(x[1], x[2], x[3])
    q = Point(x[4], x[5], x[6])
    r = Rect(0.0, 0.0, x[1], x[2])
    @unpack a, b = Named(x[7], x[8])
    @unpack c = (c = x[9], d = 1)
    store(y, 0, (p[1], q[2], r.widths[1] * r.widths[2], Vec(x[1], x[2])[2], a, b, c))
    return
end
