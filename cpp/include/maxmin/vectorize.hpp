// Kernels marked so are compiled several times; the fastest version that the processor has is picked at load time.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MAXMIN_VECTORIZE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MAXMIN_VECTORIZE
#endif
