# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One step of N bodies that attract each other: every thread sums the forces on one body. Bodies are structs of four
# floats. `--arg @bodies.npy:Body` reads them from a NumPy file whose structured dtype has these fields.
#
#   kiln compile nbody.jl 'nbody(CuDeviceVector{Body,1}, CuDeviceVector{Velocity,1}, CuDeviceVector{Body,1}, Float32)' --target ptx
#   kiln run nbody.jl nbody --arg 'fill(Body(0f0, 0f0, 0f0, 0f0), 1024)' --arg 'fill(Velocity(0f0, 0f0, 0f0), 1024)' --arg 'fill(Body(1f0, 2f0, 3f0, 1f0), 1024)' --arg 0.01f0 --threads 128 --blocks 8 --out 1=moved.npy
#   kiln bench nbody.jl nbody --arg 'fill(Body(0f0, 0f0, 0f0, 0f0), 16384)' --arg 'fill(Velocity(0f0, 0f0, 0f0), 16384)' --arg 'fill(Body(1f0, 2f0, 3f0, 1f0), 16384)' --arg 0.01f0 --threads 128 --blocks 128 --flops 5368709120

using CUDA

struct Body
    x::Float32
    y::Float32
    z::Float32
    mass::Float32
end

struct Velocity
    x::Float32
    y::Float32
    z::Float32
end

const softening = 1f-3

function nbody(moved, velocities, bodies, dt)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(bodies)
        me = @inbounds bodies[i]
        ax = ay = az = 0f0
        for j in eachindex(bodies)
            other = @inbounds bodies[j]
            dx = other.x - me.x
            dy = other.y - me.y
            dz = other.z - me.z
            near = dx * dx + dy * dy + dz * dz + softening
            pull = other.mass / (near * sqrt(near))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        end
        v = @inbounds velocities[i]
        v = Velocity(v.x + dt * ax, v.y + dt * ay, v.z + dt * az)
        @inbounds velocities[i] = v
        @inbounds moved[i] = Body(me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.mass)
    end
    return
end
