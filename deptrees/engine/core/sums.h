/* Sums of rows of small integers: exact, and so the same on every machine.

   They are explicit vectors, for compilers do not find them in such loops by themselves. With DEPTREES_PLAIN_C, and
   where there are no such vectors, the same lines are plain C. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where what loads the module can choose by the processor, there is a copy of each function for AVX2, and vectors are as
   long as it has them; in the other copy the compiler makes two of each. With DEPTREES_ONE_COPY there is none. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(DEPTREES_PLAIN_C) && !defined(DEPTREES_ONE_COPY)
#define COPIES __attribute__((target_clones("avx2", "default")))
#define LONG_VECTOR 32
#else
#define COPIES
#define LONG_VECTOR 16
#endif

/* Rows of weights of 8 bits, 64 of them in a block, which is a line of memory */
#define SUM_ROWS sum_rows_of_bytes
#define NUMBER int16_t
#define UNSIGNED uint16_t
#define BITS 8
#define IN_BLOCK 32
#define VECTOR LONG_VECTOR
#include "sum_rows.h"

/* Rows of weights of 16 bits, 4 of them in a block */
#define SUM_ROWS sum_narrow_rows
#define NUMBER int32_t
#define UNSIGNED uint32_t
#define BITS 16
#define IN_BLOCK 2
#define VECTOR 8
#include "sum_rows.h"

/* Rows of weights of 16 bits, 32 of them in a block, which is a line of memory */
#define SUM_ROWS sum_wide_rows
#define NUMBER int32_t
#define UNSIGNED uint32_t
#define BITS 16
#define IN_BLOCK 16
#define VECTOR LONG_VECTOR
#include "sum_rows.h"
