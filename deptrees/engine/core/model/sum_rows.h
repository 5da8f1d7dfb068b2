/* A function that adds up some rows of weights, for sums.h, which says of what.

   A number holds two weights, `high << BITS` + `low`, of columns half a block apart. Two sums tell both: that of all
   numbers, and that of their high weights. So no instruction has to widen a weight or to move it elsewhere. A sum has
   twice as many bits as a weight: it holds as many weights as there can be templates. */

#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
#define NUMBERS NAME(SUM_ROWS, _numbers)
#define SUMS NAME(SUM_ROWS, _sums)

#ifdef VECTORS_EXIST
typedef NUMBER NUMBERS __attribute__((vector_size(VECTOR), may_alias));
typedef UNSIGNED SUMS __attribute__((vector_size(VECTOR), may_alias));
#else
typedef NUMBER NUMBERS;
typedef UNSIGNED SUMS;
#endif

COPIES static void SUM_ROWS(const NUMBER *const *rows, int n, size_t width, float step, float *scores)
{
    enum { VECTORS = IN_BLOCK * sizeof(NUMBER) / sizeof(NUMBERS) };
    size_t block;
    int i, j;
    for (block = 0; block < width; block += IN_BLOCK, scores += 2 * IN_BLOCK) {
        SUMS sums[VECTORS];
        NUMBERS high[VECTORS];
        UNSIGNED all[IN_BLOCK];
        NUMBER upper[IN_BLOCK];
        memset(sums, 0, sizeof sums);
        memset(high, 0, sizeof high);
#pragma GCC unroll 4
        for (i = 0; i < n; i++) {
            const NUMBERS *row = (const NUMBERS *)(rows[i] + block);
            for (j = 0; j < (int)VECTORS; j++) {
                sums[j] += (SUMS)row[j];
                high[j] += (row[j] + (1 << (BITS - 1))) >> BITS; /* rounded, for a low weight may be negative */
            }
        }
        memcpy(all, sums, sizeof all);
        memcpy(upper, high, sizeof upper);
        for (j = 0; j < IN_BLOCK; j++) {
            scores[j] = step * (NUMBER)(all[j] - (UNSIGNED)upper[j] * (1u << BITS));
            scores[IN_BLOCK + j] = step * upper[j];
        }
    }
}

#undef SUM_ROWS
#undef NUMBER
#undef UNSIGNED
#undef BITS
#undef IN_BLOCK
#undef VECTOR
#undef NAME
#undef PASTE
#undef NUMBERS
#undef SUMS
