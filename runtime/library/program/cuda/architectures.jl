# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: program/cuda/launch; when: SMVersion, sm_str
# Architectures of GPUs as CUDA.jl writes them: sm"90", with suffix f for the features of a family (feature set :family),
# or a for those of one architecture (:arch).
struct SMVersion
    major::Int
    minor::Int
    feature_set::Symbol
    function SMVersion(major::Integer, minor::Integer, feature_set::Symbol=:baseline)
        feature_set in (:baseline, :family, :arch) || error(string("SMVersion: the feature set is :baseline, :family or :arch, not ", repr(feature_set)))
        return new(Int(major), Int(minor), feature_set)
    end
end
SMVersion(sm::SMVersion) = sm
SMVersion(v::VersionNumber) = SMVersion(v.major, v.minor)
SMVersion(text::AbstractString) = parse(SMVersion, text)
function Base.parse(::Type{SMVersion}, text::AbstractString)
    digits = startswith(text, "sm_") ? text[4:end] : text
    feature_set = endswith(digits, 'a') ? :arch : endswith(digits, 'f') ? :family : :baseline
    feature_set === :baseline || (digits = digits[1:end-1])
    length(digits) >= 2 && all(isdigit, digits) || error(string("an architecture is written like sm\"90\", sm\"90a\" or sm\"100f\", not ", repr(text)))
    return SMVersion(parse(Int, digits[1:end-1]), parse(Int, digits[end]), feature_set)
end
macro sm_str(text)
    return SMVersion(text)
end
sm_text(sm::SMVersion) = string(sm.major, sm.minor, sm.feature_set === :arch ? "a" : sm.feature_set === :family ? "f" : "")
cpu_name(sm::SMVersion) = string("sm_", sm_text(sm))
base_version(sm::SMVersion) = VersionNumber(sm.major, sm.minor)
Base.show(io::Base.IO, sm::SMVersion) = (print(io, "sm\"", sm_text(sm), "\""); nothing)
# Code for a device runs where its architecture says so: PTX ISA, directive .target.
function runs_on(sm::SMVersion, device::VersionNumber)
    sm.feature_set === :arch && return base_version(sm) == device
    sm.feature_set === :family && sm.major != device.major && return false
    return base_version(sm) <= device
end
function check_architecture(arch)
    sm = SMVersion(arch)
    base_version(sm) >= v"5.0" || error(string("code for ", sm, ": Kiln requires compute capability sm_50 or higher"))
    functional() && !runs_on(sm, capability(device())) && error(string("code for ", sm, " does not run on this device, which has compute capability ", capability(device())))
    return nothing
end
export SMVersion, @sm_str
