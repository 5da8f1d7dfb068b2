/* Sums of rows of small integers: exact, and so the same on every machine.

   They are explicit vectors, for compilers do not find them in such loops by themselves. With DEPTREES_PLAIN_C, and
   where there are no such vectors, the same lines are plain C. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Rows of weights of 8 bits, 64 of them in a block, which is a line of memory */
#define SUM_ROWS sum_rows_of_bytes
#define NUMBER int16_t
#define UNSIGNED uint16_t
#define BITS 8
#define IN_BLOCK 32
#define VECTOR 16
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
#define VECTOR 16
#include "sum_rows.h"
