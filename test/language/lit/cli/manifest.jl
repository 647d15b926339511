# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Whatever is wrong with a manifest is told with its place, and nothing is compiled.
# RUN: rm -rf %t && cp -r %S/inputs/manifests %t && cd %t
# RUN: %status 1 %kiln precompile faults.json 2>&1 | %filecheck %s --check-prefix=FAULTS
# FAULTS: faults.json:2:27: manifest error[153]: there is no file {{.*}}/nowhere.jl
# FAULTS: hint: paths are relative to "folder", and that to the manifest
# FAULTS: faults.json:2:41: manifest error[153]: "files" is a string, not a number
# FAULTS: faults.json:3:3: manifest error[153]: there is no field "file" here
# FAULTS: hint: there are files, language, targets, configs, candidates, folder, jobs
# FAULTS: faults.json:4:43: manifest error[153]: "O" is no option of targets
# FAULTS: hint: there are target, arch, ptx-isa
# FAULTS: faults.json:5:16: manifest error[153]: there is no option "fastmaths"; did you mean "fastmath"?
# FAULTS: faults.json:5:49: manifest error[153]: "fastmath" takes true or false, or a list of them, not a number
# FAULTS: faults.json:5:59: manifest error[153]: "O" has no value
# FAULTS: faults.json:7:10: manifest error[153]: a range that ends before it begins
# FAULTS: faults.json:8:10: manifest error[153]: a range has "from" and "to"
# FAULTS: faults.json:9:10: manifest error[153]: the step of a range is above 0
# FAULTS: faults.json:10:10: manifest error[153]: a range has "step" or "factor", not both
# FAULTS: faults.json:11:31: manifest error[153]: a range has no field "stride"
# FAULTS: faults.json:12:19: manifest error[153]: "from" of a range is a whole number
# FAULTS: faults.json:13:10: manifest error[153]: there are no candidates for G
# FAULTS: faults.json:14:10: manifest error[153]: the candidates for H are a list or a range, not a number
# FAULTS: faults.json:15:5: manifest error[153]: `3` is no name
# FAULTS: faults.json:16:11: manifest error[153]: a candidate for I is a string, a number, true, false or a range, not null
# FAULTS: faults.json:18:11: manifest error[153]: "jobs" is a list, not a string
# RUN: %status 1 %kiln precompile job_faults.json 2>&1 | %filecheck %s --check-prefix=JOBS
# JOBS: job_faults.json:3:5: manifest error[153]: no files for this job
# JOBS: job_faults.json:4:6: manifest error[153]: there is no field "calls" here
# JOBS: job_faults.json:4:5: manifest error[153]: a job has "call"
# RUN: %status 1 %kiln precompile no_jobs.json 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: no_jobs.json:1:1: manifest error[153]: a manifest has "jobs"
# RUN: %status 1 %kiln precompile list.json 2>&1 | %filecheck %s --check-prefix=ARRAY
# ARRAY: list.json:1:1: manifest error[153]: a manifest is an object of JSON, not a list
# RUN: %status 1 %kiln precompile torn.json 2>&1 | %filecheck %s --check-prefix=TORN
# TORN: torn.json:{{.*}}: JSON error[140]: a , or ] was expected: the text ends here
# RUN: %status 1 %kiln precompile twice.json 2>&1 | %filecheck %s --check-prefix=TWICE
# TWICE: twice.json:1:39: JSON error[140]: jobs stands here twice
# RUN: %status 1 %kiln precompile undefined.json 2>&1 | %filecheck %s --check-prefix=UNDEFINED
# UNDEFINED: undefined.json:1:36: manifest error[153]: $U has no candidates
# UNDEFINED: hint: "candidates": {"U": [...]}
# RUN: %status 1 %kiln precompile unused.json 2>&1 | %filecheck %s --check-prefix=UNUSED
# UNUSED: unused.json:1:78: manifest error[153]: nothing in this job uses $V
# RUN: %status 1 %kiln precompile target.json 2>&1 | %filecheck %s --check-prefix=TARGET
# TARGET: target.json:1:75: manifest error[153]: "target" takes native, ptx or spirv, not `vax`
# RUN: %status 1 %kiln precompile arch.json 2>&1 | %filecheck %s --check-prefix=ARCH
# ARCH: arch.json:1:65: manifest error[153]: "arch" takes sm_<number>, such as sm_90, sm_90a or sm_100f, not ``
# ARCH: arch.json:1:102: manifest error[153]: sm_101 is called sm_110 since CUDA 13.0
# RUN: %status 1 %kiln precompile bounds.json 2>&1 | %filecheck %s --check-prefix=BOUNDS
# BOUNDS: bounds.json:1:54: manifest error[153]: "maxthreads" is for the target ptx, not native
# RUN: %status 1 %kiln precompile emit.json 2>&1 | %filecheck %s --check-prefix=EMIT
# EMIT: emit.json:1:48: manifest error[153]: "emit" is asm, obj or cubin: typed is not kept
# RUN: %status 1 %kiln precompile level.json 2>&1 | %filecheck %s --check-prefix=LEVEL
# LEVEL: level.json:1:45: manifest error[153]: "O" takes a whole number from 0 to 3, not `7`
# RUN: %status 1 %kiln precompile empty_targets.json 2>&1 | %filecheck %s --check-prefix=TARGETS
# TARGETS: empty_targets.json:1:38: manifest error[153]: "targets" is empty, so there are no jobs
# RUN: %status 1 %kiln precompile capture.json 2>&1 | %filecheck %s --check-prefix=CAPTURE
# CAPTURE: capture.json:1:51: manifest error[153]: "capture" takes NAME=EXPR, not `x`
