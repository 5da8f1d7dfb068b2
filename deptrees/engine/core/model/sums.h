/* Sums of rows of small integers: exact, and so the same on every machine.

   They are explicit vectors, for compilers do not find them in such loops by themselves. With DEPTREES_PLAIN_C, and
   where there are no such vectors, the same lines are plain C. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(DEPTREES_PLAIN_C)
#define VECTORS_EXIST
#endif

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

/* Rows of weights of 16 bits, 4 of them in a block: so short that a vector holds two rows */
#ifdef VECTORS_EXIST
typedef int64_t TWO_ROWS __attribute__((vector_size(16)));
typedef int32_t TWO_ROWS_OF_NUMBERS __attribute__((vector_size(16)));
typedef uint32_t TWO_ROWS_OF_SUMS __attribute__((vector_size(16)));

static inline int64_t narrow_row(const int32_t *numbers)
{
    int64_t row;
    memcpy(&row, numbers, sizeof row);
    return row;
}

static inline void add_two_rows(TWO_ROWS rows, TWO_ROWS_OF_SUMS *sums, TWO_ROWS_OF_NUMBERS *high)
{
    *sums += (TWO_ROWS_OF_SUMS)rows;
    *high += ((TWO_ROWS_OF_NUMBERS)rows + (1 << 15)) >> 16; /* rounded, as in sum_rows.h */
}

COPIES static void sum_narrow_rows(const int32_t *const *rows, int n, size_t width, float step, float *scores)
{
    size_t block;
    int i, j;
    for (block = 0; block < width; block += 2, scores += 4) {
        TWO_ROWS_OF_SUMS sums = {0, 0, 0, 0};
        TWO_ROWS_OF_NUMBERS high = {0, 0, 0, 0};
#pragma GCC unroll 4
        for (i = 0; i < n - 1; i += 2)
            add_two_rows((TWO_ROWS){narrow_row(rows[i] + block), narrow_row(rows[i + 1] + block)}, &sums, &high);
        if (i < n)
            add_two_rows((TWO_ROWS){narrow_row(rows[i] + block), 0}, &sums, &high);
        for (j = 0; j < 2; j++) {
            int32_t upper = high[j] + high[2 + j];
            scores[j] = step * (int32_t)(sums[j] + sums[2 + j] - (uint32_t)upper * (1u << 16));
            scores[2 + j] = step * upper;
        }
    }
}
#else
#define SUM_ROWS sum_narrow_rows
#define NUMBER int32_t
#define UNSIGNED uint32_t
#define BITS 16
#define IN_BLOCK 2
#include "sum_rows.h"
#endif

/* Rows of weights of 16 bits, 32 of them in a block, which is a line of memory */
#define SUM_ROWS sum_wide_rows
#define NUMBER int32_t
#define UNSIGNED uint32_t
#define BITS 16
#define IN_BLOCK 16
#define VECTOR LONG_VECTOR
#include "sum_rows.h"
