# What interpret_features does, for the ready-made sets. Written by deptrees.engine.code.unrolled_templates.


cdef inline void note_delexicalized(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.stack[s.top - 2]
    cdef int node_3 = s.buffer[s.front + 0]
    cdef int node_4 = s.buffer[s.front + 1]
    cdef int node_5 = s.buffer[s.front + 2]
    cdef int node_6 = s.heads[node_0]
    cdef int node_7 = s.left[node_0]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.left[node_3]
    cdef int node_10 = s.left[node_1]
    cdef int node_11 = s.right[node_1]
    cdef int node_12 = s.heads[node_6]
    cdef int node_13 = s.inner[s.left[node_0]]
    cdef int node_14 = s.inner[s.right[node_0]]
    cdef int node_15 = s.inner[s.left[node_3]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[0][node_1]
    cdef uint64_t value_2 = columns[0][node_2]
    cdef uint64_t value_3 = columns[0][node_3]
    cdef uint64_t value_4 = columns[0][node_4]
    cdef uint64_t value_5 = columns[0][node_5]
    cdef uint64_t value_6 = columns[0][node_6]
    cdef uint64_t value_7 = columns[0][node_7]
    cdef uint64_t value_8 = columns[0][node_8]
    cdef uint64_t value_9 = columns[0][node_9]
    cdef uint64_t value_10 = columns[0][node_10]
    cdef uint64_t value_11 = columns[0][node_11]
    cdef uint64_t value_12 = s.lanes[0][node_10]
    cdef uint64_t value_13 = s.lanes[0][node_11]
    cdef uint64_t value_14 = distance_value(f, node_0, node_3)
    cdef uint64_t value_15 = s.lanes[2][node_0]
    cdef uint64_t value_16 = s.lanes[1][node_0]
    cdef uint64_t value_17 = s.lanes[1][node_3]
    cdef uint64_t value_18 = s.lanes[0][node_0]
    cdef uint64_t value_19 = s.lanes[0][node_1]
    cdef uint64_t value_20 = s.lanes[0][node_7]
    cdef uint64_t value_21 = s.lanes[0][node_8]
    cdef uint64_t value_22 = s.lanes[0][node_9]
    cdef uint64_t value_23 = columns[0][node_12]
    cdef uint64_t value_24 = s.lanes[0][node_6]
    cdef uint64_t value_25 = columns[0][node_13]
    cdef uint64_t value_26 = s.lanes[0][node_13]
    cdef uint64_t value_27 = columns[0][node_14]
    cdef uint64_t value_28 = s.lanes[0][node_14]
    cdef uint64_t value_29 = columns[0][node_15]
    cdef uint64_t value_30 = s.lanes[0][node_15]
    cdef uint64_t value_31 = s.lanes[4][node_0]
    cdef uint64_t value_32 = s.lanes[3][node_0]
    cdef uint64_t value_33 = s.lanes[3][node_3]
    note(features, 0, combined(<uint64_t> 0x495ab700a2c440c9, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x76992a1cdb445c40, value_1), t, rows)
    note(features, 2, combined(<uint64_t> 0x572b99ff8b2f76bf, value_2), t, rows)
    note(features, 3, combined(<uint64_t> 0xa60551fa60b443d2, value_3), t, rows)
    note(features, 4, combined(<uint64_t> 0xba7884e5e8e412d2, value_4), t, rows)
    note(features, 5, combined(<uint64_t> 0x95bea0ecf5e8e674, value_5), t, rows)
    note(features, 6, combined(combined(<uint64_t> 0xb50d357957844bea, value_0), value_3), t, rows)
    note(features, 7, combined(combined(<uint64_t> 0x9d999033de050247, value_3), value_4), t, rows)
    note(features, 8, combined(combined(<uint64_t> 0x351887b5460ccb7f, value_1), value_0), t, rows)
    note(features, 9, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_1), value_3), t, rows)
    note(features, 10, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_3), value_4), value_5), t, rows)
    note(features, 11, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_0), value_3), value_4), t, rows)
    note(features, 12, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_1), value_0), value_3), t, rows)
    note(features, 13, combined(combined(combined(<uint64_t> 0x558232bdf2b571f5, value_2), value_1), value_0), t, rows)
    note(features, 14, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_6), value_0), value_3), t, rows)
    note(features, 15, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_0), value_7), value_3), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0x10434ffff2d12aa3, value_0), value_8), value_3), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_0), value_3), value_9), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_1), value_0), value_7), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_1), value_0), value_8), t, rows)
    note(features, 20, combined(combined(combined(<uint64_t> 0x3ef7da1cd0f0a8b0, value_1), value_10), value_0), t, rows)
    note(features, 21, combined(combined(combined(<uint64_t> 0xd7432ef88da16f22, value_1), value_11), value_0), t, rows)
    note(features, 22, combined(combined(<uint64_t> 0x30953499b8709ea7, value_12), value_13), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0x700b678d1dbdcb81, value_14), value_0), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_14), value_3), t, rows)
    note(features, 25, combined(combined(combined(<uint64_t> 0x20595602a730e070, value_14), value_0), value_3), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0xc4b8c48cf720b88f, value_15), value_0), t, rows)
    note(features, 27, combined(combined(<uint64_t> 0xb63823f9c6e366e3, value_16), value_0), t, rows)
    note(features, 28, combined(combined(<uint64_t> 0x716091696bb7f261, value_17), value_3), t, rows)
    note(features, 29, combined(<uint64_t> 0x9eee9bbf791e9d57, value_6), t, rows)
    note(features, 30, combined(<uint64_t> 0x139f2d41f56a27ba, value_18), t, rows)
    note(features, 31, combined(combined(<uint64_t> 0x90aa9db4d3446310, value_18), value_0), t, rows)
    note(features, 32, combined(<uint64_t> 0xd4ea21c152ce24cc, value_19), t, rows)
    note(features, 33, combined(<uint64_t> 0xdd157d377ad5e2ea, value_7), t, rows)
    note(features, 34, combined(<uint64_t> 0xc8d94114bd760d9, value_20), t, rows)
    note(features, 35, combined(<uint64_t> 0x585338695bcff851, value_8), t, rows)
    note(features, 36, combined(<uint64_t> 0x75f7c95577f5bcc1, value_21), t, rows)
    note(features, 37, combined(<uint64_t> 0x43b85819b08f850a, value_9), t, rows)
    note(features, 38, combined(<uint64_t> 0x28393452d6747e07, value_22), t, rows)
    note(features, 39, combined(<uint64_t> 0xc98292c6791016f3, value_23), t, rows)
    note(features, 40, combined(<uint64_t> 0x54b7203c595b3e72, value_24), t, rows)
    note(features, 41, combined(<uint64_t> 0x9bf98b282c5906c1, value_25), t, rows)
    note(features, 42, combined(<uint64_t> 0xdc1d7c12e999112a, value_26), t, rows)
    note(features, 43, combined(<uint64_t> 0xcb63f87eefb13d7, value_27), t, rows)
    note(features, 44, combined(<uint64_t> 0xbf4945111e0c4332, value_28), t, rows)
    note(features, 45, combined(<uint64_t> 0x5d6325f40f9b3472, value_29), t, rows)
    note(features, 46, combined(<uint64_t> 0xbac4fffb5ae469b4, value_30), t, rows)
    note(features, 47, combined(combined(combined(<uint64_t> 0x96e9ad8ee85c929b, value_0), value_7), value_25), t, rows)
    note(features, 48, combined(combined(combined(<uint64_t> 0xc441e473a67cbea3, value_0), value_8), value_27), t, rows)
    note(features, 49, combined(combined(combined(<uint64_t> 0x710fa385b9f9c60f, value_0), value_6), value_23), t, rows)
    note(features, 50, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_3), value_9), value_29), t, rows)
    note(features, 51, combined(combined(<uint64_t> 0x3a8b3dbf252bcda1, value_0), value_31), t, rows)
    note(features, 52, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_0), value_32), t, rows)
    note(features, 53, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_3), value_33), t, rows)


cdef void look_with_delexicalized(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_delexicalized(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_delexicalized(f, s, columns, features, &table, rows)


cdef inline void note_fast(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.buffer[s.front + 0]
    cdef int node_3 = s.buffer[s.front + 1]
    cdef int node_4 = s.buffer[s.front + 2]
    cdef int node_5 = s.heads[node_0]
    cdef int node_6 = s.left[node_0]
    cdef int node_7 = s.left[node_2]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.inner[s.left[node_2]]
    cdef int node_10 = s.inner[s.left[node_0]]
    cdef int node_11 = s.inner[s.right[node_0]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_2]
    cdef uint64_t value_6 = columns[0][node_3]
    cdef uint64_t value_7 = columns[1][node_3]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[1][node_5]
    cdef uint64_t value_10 = columns[1][node_6]
    cdef uint64_t value_11 = columns[1][node_7]
    cdef uint64_t value_12 = columns[1][node_8]
    cdef uint64_t value_13 = columns[1][node_9]
    cdef uint64_t value_14 = distance_value(f, node_0, node_2)
    cdef uint64_t value_15 = s.lanes[1][node_2]
    cdef uint64_t value_16 = s.lanes[0][node_0]
    cdef uint64_t value_17 = columns[0][node_6]
    cdef uint64_t value_18 = s.lanes[0][node_6]
    cdef uint64_t value_19 = columns[0][node_8]
    cdef uint64_t value_20 = columns[1][node_10]
    cdef uint64_t value_21 = s.lanes[0][node_10]
    cdef uint64_t value_22 = columns[1][node_11]
    cdef uint64_t value_23 = columns[0][node_7]
    cdef uint64_t value_24 = s.lanes[0][node_7]
    cdef uint64_t value_25 = columns[0][node_9]
    cdef uint64_t value_26 = s.lanes[0][node_9]
    cdef uint64_t value_27 = s.lanes[4][node_0]
    cdef uint64_t value_28 = s.lanes[3][node_0]
    cdef uint64_t value_29 = s.lanes[3][node_2]
    cdef uint64_t value_30 = columns[2][node_0]
    cdef uint64_t value_31 = columns[2][node_2]
    cdef uint64_t value_32 = columns[2][node_3]
    cdef uint64_t value_33 = columns[2][node_7]
    note(features, 0, combined(<uint64_t> 0xe304bc7cfaacfb90, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x495ab700a2c440c9, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_2), value_3), t, rows)
    note(features, 3, combined(<uint64_t> 0xa60551fa60b443d2, value_4), t, rows)
    note(features, 4, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_4), t, rows)
    note(features, 5, combined(<uint64_t> 0xd66fb7f7a357055d, value_6), t, rows)
    note(features, 6, combined(<uint64_t> 0xba7884e5e8e412d2, value_7), t, rows)
    note(features, 7, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_6), value_7), t, rows)
    note(features, 8, combined(<uint64_t> 0x95bea0ecf5e8e674, value_8), t, rows)
    note(features, 9, combined(combined(combined(<uint64_t> 0x387b2025dc28c893, value_0), value_1), value_4), t, rows)
    note(features, 10, combined(combined(combined(<uint64_t> 0xfaf0c2e125b7353d, value_1), value_5), value_4), t, rows)
    note(features, 11, combined(combined(<uint64_t> 0x3df572e072fe7a4d, value_3), value_0), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_3), value_4), t, rows)
    note(features, 13, combined(combined(<uint64_t> 0x9d999033de050247, value_4), value_7), t, rows)
    note(features, 14, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_4), value_7), value_8), t, rows)
    note(features, 15, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_1), value_4), value_7), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_3), value_1), value_4), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_9), value_1), value_4), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_1), value_10), value_4), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_1), value_4), value_11), t, rows)
    note(features, 20, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_3), value_1), value_10), t, rows)
    note(features, 21, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_3), value_1), value_12), t, rows)
    note(features, 22, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_4), value_11), value_13), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0xd37adb1722a43706, value_14), value_0), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0x48091470c3ef98e0, value_14), value_5), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_14), value_4), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x716091696bb7f261, value_15), value_4), t, rows)
    note(features, 27, combined(<uint64_t> 0x139f2d41f56a27ba, value_16), t, rows)
    note(features, 28, combined(<uint64_t> 0x87ae1ac54149ec91, value_17), t, rows)
    note(features, 29, combined(<uint64_t> 0xc8d94114bd760d9, value_18), t, rows)
    note(features, 30, combined(<uint64_t> 0xbe5c30171e5c97da, value_19), t, rows)
    note(features, 31, combined(<uint64_t> 0x9bf98b282c5906c1, value_20), t, rows)
    note(features, 32, combined(<uint64_t> 0xdc1d7c12e999112a, value_21), t, rows)
    note(features, 33, combined(<uint64_t> 0xcb63f87eefb13d7, value_22), t, rows)
    note(features, 34, combined(<uint64_t> 0x7213f8a0dc6dc006, value_23), t, rows)
    note(features, 35, combined(<uint64_t> 0x43b85819b08f850a, value_11), t, rows)
    note(features, 36, combined(<uint64_t> 0x28393452d6747e07, value_24), t, rows)
    note(features, 37, combined(<uint64_t> 0xf68d477fc0078fad, value_25), t, rows)
    note(features, 38, combined(<uint64_t> 0x5d6325f40f9b3472, value_13), t, rows)
    note(features, 39, combined(<uint64_t> 0xbac4fffb5ae469b4, value_26), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_0), value_27), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_1), value_28), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_29), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_4), value_29), t, rows)
    note(features, 44, combined(<uint64_t> 0xec46fefc3f4f18ee, value_30), t, rows)
    note(features, 45, combined(<uint64_t> 0xb31b6654d9b28105, value_31), t, rows)
    note(features, 46, combined(combined(<uint64_t> 0x7939c4f61a14baa8, value_30), value_31), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0x6e37b19c44c3265b, value_1), value_30), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xcc3a664e2fc331b4, value_4), value_31), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0xf69c75753b884e63, value_7), value_32), t, rows)
    note(features, 50, combined(combined(combined(<uint64_t> 0xde4aacdfd76846bc, value_1), value_30), value_4), t, rows)
    note(features, 51, combined(combined(combined(combined(<uint64_t> 0x246de6c8e4e61998, value_4), value_31), value_7), value_32), t, rows)
    note(features, 52, combined(combined(combined(<uint64_t> 0xa84ef76626b743f1, value_33), value_1), value_4), t, rows)


cdef void look_with_fast(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_fast(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_fast(f, s, columns, features, &table, rows)


cdef inline void note_lr_spines(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 1]
    cdef int node_1 = s.stack[s.top - 2]
    cdef int node_2 = s.stack[s.top - 3]
    cdef int node_3 = s.buffer[s.front + 0]
    cdef int node_4 = find_beyond(s, node_3)
    cdef int node_5 = find_beyond(s, node_4)
    cdef int node_6 = s.heads[node_0]
    cdef int node_7 = s.left[node_0]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.left[node_3]
    cdef int node_10 = s.left[node_1]
    cdef int node_11 = s.right[node_1]
    cdef int node_12 = s.heads[node_6]
    cdef int node_13 = s.inner[s.left[node_0]]
    cdef int node_14 = s.inner[s.right[node_0]]
    cdef int node_15 = s.inner[s.left[node_3]]
    cdef int node_16 = s.heads[node_3]
    cdef int node_17 = s.heads[node_16]
    cdef int node_18 = s.right[node_3]
    cdef int node_19 = s.inner[s.right[node_3]]
    cdef int node_20 = s.stack[s.top - 0]
    cdef int node_21 = find_beyond(s, node_20)
    cdef int node_22 = find_beyond(s, node_21)
    cdef int node_23 = s.buffer[s.front + 1]
    cdef int node_24 = s.buffer[s.front + 2]
    cdef int node_25 = s.buffer[s.front + 3]
    cdef int node_26 = s.heads[node_20]
    cdef int node_27 = s.left[node_20]
    cdef int node_28 = s.right[node_20]
    cdef int node_29 = s.left[node_23]
    cdef int node_30 = s.left[node_21]
    cdef int node_31 = s.right[node_21]
    cdef int node_32 = s.heads[node_26]
    cdef int node_33 = s.inner[s.left[node_20]]
    cdef int node_34 = s.inner[s.right[node_20]]
    cdef int node_35 = s.inner[s.left[node_23]]
    cdef int node_36 = s.heads[node_23]
    cdef int node_37 = s.heads[node_36]
    cdef int node_38 = s.right[node_23]
    cdef int node_39 = s.inner[s.right[node_23]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_3]
    cdef uint64_t value_6 = columns[1][node_3]
    cdef uint64_t value_7 = columns[0][node_4]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[0][node_5]
    cdef uint64_t value_10 = columns[1][node_5]
    cdef uint64_t value_11 = columns[1][node_6]
    cdef uint64_t value_12 = columns[1][node_7]
    cdef uint64_t value_13 = columns[1][node_8]
    cdef uint64_t value_14 = columns[1][node_9]
    cdef uint64_t value_15 = columns[1][node_10]
    cdef uint64_t value_16 = columns[1][node_11]
    cdef uint64_t value_17 = s.lanes[0][node_10]
    cdef uint64_t value_18 = s.lanes[0][node_11]
    cdef uint64_t value_19 = distance_value(f, node_0, node_3)
    cdef uint64_t value_20 = s.lanes[2][node_0]
    cdef uint64_t value_21 = s.lanes[1][node_0]
    cdef uint64_t value_22 = s.lanes[1][node_3]
    cdef uint64_t value_23 = columns[0][node_6]
    cdef uint64_t value_24 = s.lanes[0][node_0]
    cdef uint64_t value_25 = s.lanes[0][node_1]
    cdef uint64_t value_26 = columns[0][node_7]
    cdef uint64_t value_27 = s.lanes[0][node_7]
    cdef uint64_t value_28 = columns[0][node_8]
    cdef uint64_t value_29 = s.lanes[0][node_8]
    cdef uint64_t value_30 = columns[0][node_9]
    cdef uint64_t value_31 = s.lanes[0][node_9]
    cdef uint64_t value_32 = columns[0][node_12]
    cdef uint64_t value_33 = columns[1][node_12]
    cdef uint64_t value_34 = s.lanes[0][node_6]
    cdef uint64_t value_35 = columns[0][node_13]
    cdef uint64_t value_36 = columns[1][node_13]
    cdef uint64_t value_37 = s.lanes[0][node_13]
    cdef uint64_t value_38 = columns[0][node_14]
    cdef uint64_t value_39 = columns[1][node_14]
    cdef uint64_t value_40 = s.lanes[0][node_14]
    cdef uint64_t value_41 = columns[0][node_15]
    cdef uint64_t value_42 = columns[1][node_15]
    cdef uint64_t value_43 = s.lanes[0][node_15]
    cdef uint64_t value_44 = s.lanes[4][node_0]
    cdef uint64_t value_45 = s.lanes[3][node_0]
    cdef uint64_t value_46 = s.lanes[3][node_3]
    cdef uint64_t value_47 = columns[0][node_16]
    cdef uint64_t value_48 = columns[1][node_16]
    cdef uint64_t value_49 = s.lanes[0][node_3]
    cdef uint64_t value_50 = columns[0][node_17]
    cdef uint64_t value_51 = columns[1][node_17]
    cdef uint64_t value_52 = s.lanes[0][node_16]
    cdef uint64_t value_53 = columns[0][node_18]
    cdef uint64_t value_54 = columns[1][node_18]
    cdef uint64_t value_55 = s.lanes[0][node_18]
    cdef uint64_t value_56 = columns[0][node_19]
    cdef uint64_t value_57 = columns[1][node_19]
    cdef uint64_t value_58 = s.lanes[0][node_19]
    cdef uint64_t value_59 = s.lanes[2][node_3]
    cdef uint64_t value_60 = s.lanes[4][node_3]
    cdef uint64_t value_61 = columns[0][node_20]
    cdef uint64_t value_62 = columns[1][node_20]
    cdef uint64_t value_63 = columns[0][node_21]
    cdef uint64_t value_64 = columns[1][node_21]
    cdef uint64_t value_65 = columns[1][node_22]
    cdef uint64_t value_66 = columns[0][node_23]
    cdef uint64_t value_67 = columns[1][node_23]
    cdef uint64_t value_68 = columns[0][node_24]
    cdef uint64_t value_69 = columns[1][node_24]
    cdef uint64_t value_70 = columns[0][node_25]
    cdef uint64_t value_71 = columns[1][node_25]
    cdef uint64_t value_72 = columns[1][node_26]
    cdef uint64_t value_73 = columns[1][node_27]
    cdef uint64_t value_74 = columns[1][node_28]
    cdef uint64_t value_75 = columns[1][node_29]
    cdef uint64_t value_76 = columns[1][node_30]
    cdef uint64_t value_77 = columns[1][node_31]
    cdef uint64_t value_78 = s.lanes[0][node_30]
    cdef uint64_t value_79 = s.lanes[0][node_31]
    cdef uint64_t value_80 = distance_value(f, node_20, node_23)
    cdef uint64_t value_81 = s.lanes[2][node_20]
    cdef uint64_t value_82 = s.lanes[1][node_20]
    cdef uint64_t value_83 = s.lanes[1][node_23]
    cdef uint64_t value_84 = columns[0][node_26]
    cdef uint64_t value_85 = s.lanes[0][node_20]
    cdef uint64_t value_86 = s.lanes[0][node_21]
    cdef uint64_t value_87 = columns[0][node_27]
    cdef uint64_t value_88 = s.lanes[0][node_27]
    cdef uint64_t value_89 = columns[0][node_28]
    cdef uint64_t value_90 = s.lanes[0][node_28]
    cdef uint64_t value_91 = columns[0][node_29]
    cdef uint64_t value_92 = s.lanes[0][node_29]
    cdef uint64_t value_93 = columns[0][node_32]
    cdef uint64_t value_94 = columns[1][node_32]
    cdef uint64_t value_95 = s.lanes[0][node_26]
    cdef uint64_t value_96 = columns[0][node_33]
    cdef uint64_t value_97 = columns[1][node_33]
    cdef uint64_t value_98 = s.lanes[0][node_33]
    cdef uint64_t value_99 = columns[0][node_34]
    cdef uint64_t value_100 = columns[1][node_34]
    cdef uint64_t value_101 = s.lanes[0][node_34]
    cdef uint64_t value_102 = columns[0][node_35]
    cdef uint64_t value_103 = columns[1][node_35]
    cdef uint64_t value_104 = s.lanes[0][node_35]
    cdef uint64_t value_105 = s.lanes[4][node_20]
    cdef uint64_t value_106 = s.lanes[3][node_20]
    cdef uint64_t value_107 = s.lanes[3][node_23]
    cdef uint64_t value_108 = columns[0][node_36]
    cdef uint64_t value_109 = columns[1][node_36]
    cdef uint64_t value_110 = s.lanes[0][node_23]
    cdef uint64_t value_111 = columns[0][node_37]
    cdef uint64_t value_112 = columns[1][node_37]
    cdef uint64_t value_113 = s.lanes[0][node_36]
    cdef uint64_t value_114 = columns[0][node_38]
    cdef uint64_t value_115 = columns[1][node_38]
    cdef uint64_t value_116 = s.lanes[0][node_38]
    cdef uint64_t value_117 = columns[0][node_39]
    cdef uint64_t value_118 = columns[1][node_39]
    cdef uint64_t value_119 = s.lanes[0][node_39]
    cdef uint64_t value_120 = s.lanes[2][node_23]
    cdef uint64_t value_121 = s.lanes[4][node_23]
    note(features, 0, combined(<uint64_t> 0xcec954ffd9b8878, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x76992a1cdb445c40, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_0), value_1), t, rows)
    note(features, 3, combined(<uint64_t> 0xfc7ffcfe7dabc6dd, value_2), t, rows)
    note(features, 4, combined(<uint64_t> 0x572b99ff8b2f76bf, value_3), t, rows)
    note(features, 5, combined(combined(<uint64_t> 0x405e9bf6694aea9d, value_2), value_3), t, rows)
    note(features, 6, combined(<uint64_t> 0xf30528033482bbc7, value_4), t, rows)
    note(features, 7, combined(<uint64_t> 0xa43bd59338637668, value_5), t, rows)
    note(features, 8, combined(<uint64_t> 0xa60551fa60b443d2, value_6), t, rows)
    note(features, 9, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_6), t, rows)
    note(features, 10, combined(<uint64_t> 0xe1bb336e0e18d9aa, value_7), t, rows)
    note(features, 11, combined(<uint64_t> 0x1ea133541f0a66c8, value_8), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0xc95fd68f526fe26c, value_7), value_8), t, rows)
    note(features, 13, combined(<uint64_t> 0x8df2bfdfb92354cc, value_9), t, rows)
    note(features, 14, combined(<uint64_t> 0x6f79ac30d8e3aeb6, value_10), t, rows)
    note(features, 15, combined(combined(combined(combined(<uint64_t> 0x1e02df3cba3c8769, value_0), value_1), value_5), value_6), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0xbb88b2d57a1a668b, value_0), value_1), value_5), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0x1b934376a3c0c27, value_0), value_5), value_6), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0x286ee53a24a10ea5, value_0), value_1), value_6), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0x88119aadbe2e80b8, value_1), value_5), value_6), t, rows)
    note(features, 20, combined(combined(<uint64_t> 0x592ecb9fd83dedc8, value_0), value_5), t, rows)
    note(features, 21, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_1), value_6), t, rows)
    note(features, 22, combined(combined(<uint64_t> 0xb6b32a4496f2679e, value_6), value_8), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0xd0dd60acc9ed177e, value_3), value_1), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0xd92691ab2d0dd507, value_3), value_0), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xef4a487b0658d023, value_2), value_1), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x3fef6a05553fa21b, value_2), value_0), t, rows)
    note(features, 27, combined(combined(<uint64_t> 0xd9e1779a0d42f325, value_3), value_6), t, rows)
    note(features, 28, combined(combined(combined(<uint64_t> 0x9874716228d76a3d, value_6), value_8), value_10), t, rows)
    note(features, 29, combined(combined(combined(<uint64_t> 0x9f8374bb39e949e1, value_1), value_6), value_8), t, rows)
    note(features, 30, combined(combined(combined(<uint64_t> 0x76f8c345f0d4ab, value_3), value_1), value_6), t, rows)
    note(features, 31, combined(combined(combined(<uint64_t> 0x3bf090e2e476f892, value_4), value_3), value_1), t, rows)
    note(features, 32, combined(combined(combined(<uint64_t> 0xc04caa194b34a27, value_11), value_1), value_6), t, rows)
    note(features, 33, combined(combined(combined(<uint64_t> 0xcce88e4c12112c78, value_1), value_12), value_6), t, rows)
    note(features, 34, combined(combined(combined(<uint64_t> 0x4ec3ee078f634e59, value_1), value_13), value_6), t, rows)
    note(features, 35, combined(combined(combined(<uint64_t> 0x1a2063ffb49b5792, value_1), value_6), value_14), t, rows)
    note(features, 36, combined(combined(combined(<uint64_t> 0x3b20e32b1c7c420, value_3), value_1), value_12), t, rows)
    note(features, 37, combined(combined(combined(<uint64_t> 0x906b78390e795f33, value_3), value_1), value_13), t, rows)
    note(features, 38, combined(combined(combined(<uint64_t> 0xa18d01c2a890f8c5, value_3), value_15), value_1), t, rows)
    note(features, 39, combined(combined(combined(<uint64_t> 0xda5efab7f6d3cb24, value_3), value_16), value_1), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x935821f679a04101, value_17), value_18), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0x783c8a47bac08e21, value_19), value_0), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x1906d6b709b8c3c5, value_19), value_1), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0x80927727007566fe, value_19), value_5), t, rows)
    note(features, 44, combined(combined(<uint64_t> 0xdb0b947c587a872, value_19), value_6), t, rows)
    note(features, 45, combined(combined(combined(<uint64_t> 0x35f579a6d804453d, value_19), value_0), value_5), t, rows)
    note(features, 46, combined(combined(combined(<uint64_t> 0xf9d1c6afdc82f4a4, value_19), value_1), value_6), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0x5525767f49350dd1, value_20), value_0), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xf00b0c4c4f908c3e, value_20), value_1), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0x2ff8dd3cbf7816fb, value_21), value_0), t, rows)
    note(features, 50, combined(combined(<uint64_t> 0x61d9a62bdf3267fa, value_21), value_1), t, rows)
    note(features, 51, combined(combined(<uint64_t> 0x2e6f5be24f4365b, value_22), value_5), t, rows)
    note(features, 52, combined(combined(<uint64_t> 0x716091696bb7f261, value_22), value_6), t, rows)
    note(features, 53, combined(<uint64_t> 0xcfd49b7f90c3090d, value_23), t, rows)
    note(features, 54, combined(<uint64_t> 0x580d2b8afb8893d5, value_11), t, rows)
    note(features, 55, combined(<uint64_t> 0xd4ea21c152ce24cc, value_24), t, rows)
    note(features, 56, combined(combined(<uint64_t> 0x41f6f7edc336d4ed, value_24), value_1), t, rows)
    note(features, 57, combined(<uint64_t> 0x7c2cad39f66d478b, value_25), t, rows)
    note(features, 58, combined(<uint64_t> 0xc827d714c3e737c6, value_26), t, rows)
    note(features, 59, combined(<uint64_t> 0x6ec3c97094525651, value_12), t, rows)
    note(features, 60, combined(<uint64_t> 0xddb89de0b3db0ce5, value_27), t, rows)
    note(features, 61, combined(<uint64_t> 0x74deeedacf915fe6, value_28), t, rows)
    note(features, 62, combined(<uint64_t> 0x8ad32c2df597f738, value_13), t, rows)
    note(features, 63, combined(<uint64_t> 0xa57de2653b685b7e, value_29), t, rows)
    note(features, 64, combined(<uint64_t> 0x7213f8a0dc6dc006, value_30), t, rows)
    note(features, 65, combined(<uint64_t> 0x43b85819b08f850a, value_14), t, rows)
    note(features, 66, combined(<uint64_t> 0x28393452d6747e07, value_31), t, rows)
    note(features, 67, combined(<uint64_t> 0x10a97ee9aeff3cc8, value_32), t, rows)
    note(features, 68, combined(<uint64_t> 0x4f7150ed4c795079, value_33), t, rows)
    note(features, 69, combined(<uint64_t> 0x167e4db4896422b7, value_34), t, rows)
    note(features, 70, combined(<uint64_t> 0xbb588c446b576f19, value_35), t, rows)
    note(features, 71, combined(<uint64_t> 0xa30882b7e9cd66ea, value_36), t, rows)
    note(features, 72, combined(<uint64_t> 0x3133fa48de9bc720, value_37), t, rows)
    note(features, 73, combined(<uint64_t> 0x1cad7c3eceafca36, value_38), t, rows)
    note(features, 74, combined(<uint64_t> 0xcc5e651f36ee99f4, value_39), t, rows)
    note(features, 75, combined(<uint64_t> 0x85d92eab80bf292d, value_40), t, rows)
    note(features, 76, combined(<uint64_t> 0xf68d477fc0078fad, value_41), t, rows)
    note(features, 77, combined(<uint64_t> 0x5d6325f40f9b3472, value_42), t, rows)
    note(features, 78, combined(<uint64_t> 0xbac4fffb5ae469b4, value_43), t, rows)
    note(features, 79, combined(combined(combined(<uint64_t> 0xa6d4e9a22584c45f, value_1), value_12), value_36), t, rows)
    note(features, 80, combined(combined(combined(<uint64_t> 0xfa157a0a38d6dd7b, value_1), value_13), value_39), t, rows)
    note(features, 81, combined(combined(combined(<uint64_t> 0x5135134118a5b25a, value_1), value_11), value_33), t, rows)
    note(features, 82, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_6), value_14), value_42), t, rows)
    note(features, 83, combined(combined(<uint64_t> 0x597243a91bfa8708, value_0), value_44), t, rows)
    note(features, 84, combined(combined(<uint64_t> 0xd8700ecaed1c2ce7, value_1), value_44), t, rows)
    note(features, 85, combined(combined(<uint64_t> 0x2533de564d1cffcc, value_0), value_45), t, rows)
    note(features, 86, combined(combined(<uint64_t> 0xa6ee91c24f96c253, value_1), value_45), t, rows)
    note(features, 87, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_46), t, rows)
    note(features, 88, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_6), value_46), t, rows)
    note(features, 89, combined(<uint64_t> 0x5c4a74bf3d92c36f, value_47), t, rows)
    note(features, 90, combined(<uint64_t> 0x1b4ef74d1e393611, value_48), t, rows)
    note(features, 91, combined(<uint64_t> 0x5971f84fd4302f51, value_49), t, rows)
    note(features, 92, combined(combined(<uint64_t> 0xc27cf8d956afc9b8, value_49), value_6), t, rows)
    note(features, 93, combined(<uint64_t> 0xef172fb0d2ab9b69, value_50), t, rows)
    note(features, 94, combined(<uint64_t> 0xc316ef1f9ed15ef2, value_51), t, rows)
    note(features, 95, combined(<uint64_t> 0xe972303a7cd1fab2, value_52), t, rows)
    note(features, 96, combined(combined(combined(<uint64_t> 0xb9ce042c03338a39, value_48), value_6), value_1), t, rows)
    note(features, 97, combined(combined(combined(<uint64_t> 0x3b3f690e3211bdae, value_6), value_48), value_51), t, rows)
    note(features, 98, combined(<uint64_t> 0x1742d52c128e7d21, value_53), t, rows)
    note(features, 99, combined(<uint64_t> 0x75843a4720fcc048, value_54), t, rows)
    note(features, 100, combined(<uint64_t> 0xaf001e57ed215ae9, value_55), t, rows)
    note(features, 101, combined(<uint64_t> 0x948029fe9c5cc07f, value_56), t, rows)
    note(features, 102, combined(<uint64_t> 0x7bcd233e69a8e3a4, value_57), t, rows)
    note(features, 103, combined(<uint64_t> 0x3968a1d8a9c8fd13, value_58), t, rows)
    note(features, 104, combined(combined(combined(<uint64_t> 0x6709558c92433da0, value_6), value_54), value_1), t, rows)
    note(features, 105, combined(combined(combined(<uint64_t> 0xc9bdd634a706b6dc, value_6), value_54), value_57), t, rows)
    note(features, 106, combined(combined(<uint64_t> 0xf70571b089a57036, value_59), value_5), t, rows)
    note(features, 107, combined(combined(<uint64_t> 0x1ab6e718ab2b4086, value_59), value_6), t, rows)
    note(features, 108, combined(combined(<uint64_t> 0x79f6ec5819a30b4f, value_5), value_60), t, rows)
    note(features, 109, combined(combined(<uint64_t> 0x6bf28f9f9acb96af, value_6), value_60), t, rows)
    note(features, 110, combined(<uint64_t> 0xe304bc7cfaacfb90, value_61), t, rows)
    note(features, 111, combined(<uint64_t> 0x495ab700a2c440c9, value_62), t, rows)
    note(features, 112, combined(combined(<uint64_t> 0xc59be3a8c1bb8158, value_61), value_62), t, rows)
    note(features, 113, combined(<uint64_t> 0x707c65ec1f945dc7, value_63), t, rows)
    note(features, 114, combined(<uint64_t> 0x104568eaf3cec6b8, value_64), t, rows)
    note(features, 115, combined(combined(<uint64_t> 0xa4b5e900b8b8a6cd, value_63), value_64), t, rows)
    note(features, 116, combined(<uint64_t> 0xc03cae0d4a99cf65, value_65), t, rows)
    note(features, 117, combined(<uint64_t> 0xd66fb7f7a357055d, value_66), t, rows)
    note(features, 118, combined(<uint64_t> 0xba7884e5e8e412d2, value_67), t, rows)
    note(features, 119, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_66), value_67), t, rows)
    note(features, 120, combined(<uint64_t> 0x5f5084618079687d, value_68), t, rows)
    note(features, 121, combined(<uint64_t> 0x95bea0ecf5e8e674, value_69), t, rows)
    note(features, 122, combined(combined(<uint64_t> 0x1c38c85aeecbacf1, value_68), value_69), t, rows)
    note(features, 123, combined(<uint64_t> 0xf23b81b1a3e7126e, value_70), t, rows)
    note(features, 124, combined(<uint64_t> 0x69c58c2df8f0c483, value_71), t, rows)
    note(features, 125, combined(combined(combined(combined(<uint64_t> 0x7895ff499085a353, value_61), value_62), value_66), value_67), t, rows)
    note(features, 126, combined(combined(combined(<uint64_t> 0x7c5eed2cc2a249a3, value_61), value_62), value_66), t, rows)
    note(features, 127, combined(combined(combined(<uint64_t> 0xd19c90ff5093d92e, value_61), value_66), value_67), t, rows)
    note(features, 128, combined(combined(combined(<uint64_t> 0x6b4616a728bc814, value_61), value_62), value_67), t, rows)
    note(features, 129, combined(combined(combined(<uint64_t> 0x569be47bc1cdce54, value_62), value_66), value_67), t, rows)
    note(features, 130, combined(combined(<uint64_t> 0x1e08b86a7e31d752, value_61), value_66), t, rows)
    note(features, 131, combined(combined(<uint64_t> 0x675f82ab670210f9, value_62), value_67), t, rows)
    note(features, 132, combined(combined(<uint64_t> 0x17900e0e5f567705, value_67), value_69), t, rows)
    note(features, 133, combined(combined(<uint64_t> 0x856ff61ac8056f27, value_64), value_62), t, rows)
    note(features, 134, combined(combined(<uint64_t> 0xef1e2407d59073cf, value_64), value_61), t, rows)
    note(features, 135, combined(combined(<uint64_t> 0x32ee6efc13cc2512, value_63), value_62), t, rows)
    note(features, 136, combined(combined(<uint64_t> 0x9edb7e047fcc8902, value_63), value_61), t, rows)
    note(features, 137, combined(combined(<uint64_t> 0xff0521d91eaad17a, value_64), value_67), t, rows)
    note(features, 138, combined(combined(combined(<uint64_t> 0x2abdc65f20561912, value_67), value_69), value_71), t, rows)
    note(features, 139, combined(combined(combined(<uint64_t> 0xf3b5c54b4c3a978c, value_62), value_67), value_69), t, rows)
    note(features, 140, combined(combined(combined(<uint64_t> 0x1f690ea549475af9, value_64), value_62), value_67), t, rows)
    note(features, 141, combined(combined(combined(<uint64_t> 0x9e0cf3e6faed3b4f, value_65), value_64), value_62), t, rows)
    note(features, 142, combined(combined(combined(<uint64_t> 0x66607c1c15150b70, value_72), value_62), value_67), t, rows)
    note(features, 143, combined(combined(combined(<uint64_t> 0x2cbe3ee4786c1312, value_62), value_73), value_67), t, rows)
    note(features, 144, combined(combined(combined(<uint64_t> 0xcf55479da49d1577, value_62), value_74), value_67), t, rows)
    note(features, 145, combined(combined(combined(<uint64_t> 0x614dc52d6e53afd6, value_62), value_67), value_75), t, rows)
    note(features, 146, combined(combined(combined(<uint64_t> 0xd6e3da0578cab1e, value_64), value_62), value_73), t, rows)
    note(features, 147, combined(combined(combined(<uint64_t> 0xaef3fb26f8e37d63, value_64), value_62), value_74), t, rows)
    note(features, 148, combined(combined(combined(<uint64_t> 0x91b6212c9635dc81, value_64), value_76), value_62), t, rows)
    note(features, 149, combined(combined(combined(<uint64_t> 0x741ab2a02e356b2f, value_64), value_77), value_62), t, rows)
    note(features, 150, combined(combined(<uint64_t> 0x944595de3559f068, value_78), value_79), t, rows)
    note(features, 151, combined(combined(<uint64_t> 0x1376f2fd169ae1c9, value_80), value_61), t, rows)
    note(features, 152, combined(combined(<uint64_t> 0xcd135f61e96fbd76, value_80), value_62), t, rows)
    note(features, 153, combined(combined(<uint64_t> 0x64a011fc48f32455, value_80), value_66), t, rows)
    note(features, 154, combined(combined(<uint64_t> 0xd7b16f92e99aac5d, value_80), value_67), t, rows)
    note(features, 155, combined(combined(combined(<uint64_t> 0xbdc3d52610359384, value_80), value_61), value_66), t, rows)
    note(features, 156, combined(combined(combined(<uint64_t> 0x399c06d425c7b6e3, value_80), value_62), value_67), t, rows)
    note(features, 157, combined(combined(<uint64_t> 0xdc9ddf24856f06af, value_81), value_61), t, rows)
    note(features, 158, combined(combined(<uint64_t> 0xc4b8c48cf720b88f, value_81), value_62), t, rows)
    note(features, 159, combined(combined(<uint64_t> 0x4e20c2d82ddf91cd, value_82), value_61), t, rows)
    note(features, 160, combined(combined(<uint64_t> 0xb63823f9c6e366e3, value_82), value_62), t, rows)
    note(features, 161, combined(combined(<uint64_t> 0xdf1b53af2d95282e, value_83), value_66), t, rows)
    note(features, 162, combined(combined(<uint64_t> 0x444e2a74a07f6697, value_83), value_67), t, rows)
    note(features, 163, combined(<uint64_t> 0x424c3b0652d40243, value_84), t, rows)
    note(features, 164, combined(<uint64_t> 0x9eee9bbf791e9d57, value_72), t, rows)
    note(features, 165, combined(<uint64_t> 0x139f2d41f56a27ba, value_85), t, rows)
    note(features, 166, combined(combined(<uint64_t> 0x90aa9db4d3446310, value_85), value_62), t, rows)
    note(features, 167, combined(<uint64_t> 0x2b39965f73161345, value_86), t, rows)
    note(features, 168, combined(<uint64_t> 0x87ae1ac54149ec91, value_87), t, rows)
    note(features, 169, combined(<uint64_t> 0xdd157d377ad5e2ea, value_73), t, rows)
    note(features, 170, combined(<uint64_t> 0xc8d94114bd760d9, value_88), t, rows)
    note(features, 171, combined(<uint64_t> 0xbe5c30171e5c97da, value_89), t, rows)
    note(features, 172, combined(<uint64_t> 0x585338695bcff851, value_74), t, rows)
    note(features, 173, combined(<uint64_t> 0x75f7c95577f5bcc1, value_90), t, rows)
    note(features, 174, combined(<uint64_t> 0x413a0fccdce4915c, value_91), t, rows)
    note(features, 175, combined(<uint64_t> 0x44bfb426d3376899, value_75), t, rows)
    note(features, 176, combined(<uint64_t> 0x52ac1d7dce986de6, value_92), t, rows)
    note(features, 177, combined(<uint64_t> 0xea6463ff79e27e1e, value_93), t, rows)
    note(features, 178, combined(<uint64_t> 0xc98292c6791016f3, value_94), t, rows)
    note(features, 179, combined(<uint64_t> 0x54b7203c595b3e72, value_95), t, rows)
    note(features, 180, combined(<uint64_t> 0xd13db9ad163ad287, value_96), t, rows)
    note(features, 181, combined(<uint64_t> 0x9bf98b282c5906c1, value_97), t, rows)
    note(features, 182, combined(<uint64_t> 0xdc1d7c12e999112a, value_98), t, rows)
    note(features, 183, combined(<uint64_t> 0xa908444b644697f5, value_99), t, rows)
    note(features, 184, combined(<uint64_t> 0xcb63f87eefb13d7, value_100), t, rows)
    note(features, 185, combined(<uint64_t> 0xbf4945111e0c4332, value_101), t, rows)
    note(features, 186, combined(<uint64_t> 0x4f20668354531ed3, value_102), t, rows)
    note(features, 187, combined(<uint64_t> 0x936e9ac875c93f61, value_103), t, rows)
    note(features, 188, combined(<uint64_t> 0x64b420664ae14ff3, value_104), t, rows)
    note(features, 189, combined(combined(combined(<uint64_t> 0x96e9ad8ee85c929b, value_62), value_73), value_97), t, rows)
    note(features, 190, combined(combined(combined(<uint64_t> 0xc441e473a67cbea3, value_62), value_74), value_100), t, rows)
    note(features, 191, combined(combined(combined(<uint64_t> 0x710fa385b9f9c60f, value_62), value_72), value_94), t, rows)
    note(features, 192, combined(combined(combined(<uint64_t> 0x92428f108214d13, value_67), value_75), value_103), t, rows)
    note(features, 193, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_61), value_105), t, rows)
    note(features, 194, combined(combined(<uint64_t> 0x3a8b3dbf252bcda1, value_62), value_105), t, rows)
    note(features, 195, combined(combined(<uint64_t> 0x3990f2981bfc319e, value_61), value_106), t, rows)
    note(features, 196, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_62), value_106), t, rows)
    note(features, 197, combined(combined(<uint64_t> 0x179db4b4ed4233e3, value_66), value_107), t, rows)
    note(features, 198, combined(combined(<uint64_t> 0x94e40fafb5480903, value_67), value_107), t, rows)
    note(features, 199, combined(<uint64_t> 0x61b23e24d3b045f5, value_108), t, rows)
    note(features, 200, combined(<uint64_t> 0x100d4008c7f68da8, value_109), t, rows)
    note(features, 201, combined(<uint64_t> 0xf5acf81c80aba25d, value_110), t, rows)
    note(features, 202, combined(combined(<uint64_t> 0x8eb72f878802fe0e, value_110), value_67), t, rows)
    note(features, 203, combined(<uint64_t> 0xe019b9de57d1d29e, value_111), t, rows)
    note(features, 204, combined(<uint64_t> 0x6885dd94f48bb6f2, value_112), t, rows)
    note(features, 205, combined(<uint64_t> 0x36d44ef2467da830, value_113), t, rows)
    note(features, 206, combined(combined(combined(<uint64_t> 0xe726030ec48978ab, value_109), value_67), value_62), t, rows)
    note(features, 207, combined(combined(combined(<uint64_t> 0x6f118162dff0283a, value_67), value_109), value_112), t, rows)
    note(features, 208, combined(<uint64_t> 0x292c21786bc5c6f6, value_114), t, rows)
    note(features, 209, combined(<uint64_t> 0x6c1345ed04406ff5, value_115), t, rows)
    note(features, 210, combined(<uint64_t> 0x4c1ace923a0c9db5, value_116), t, rows)
    note(features, 211, combined(<uint64_t> 0xee8b7f94a72d7297, value_117), t, rows)
    note(features, 212, combined(<uint64_t> 0x8eba5543766cabc, value_118), t, rows)
    note(features, 213, combined(<uint64_t> 0xd94ad729f1f9ff92, value_119), t, rows)
    note(features, 214, combined(combined(combined(<uint64_t> 0x783e08c3f0015f3a, value_67), value_115), value_62), t, rows)
    note(features, 215, combined(combined(combined(<uint64_t> 0xf701a026031deb10, value_67), value_115), value_118), t, rows)
    note(features, 216, combined(combined(<uint64_t> 0x5e53a52281dd4160, value_120), value_66), t, rows)
    note(features, 217, combined(combined(<uint64_t> 0x4a651c7cd97aecd4, value_120), value_67), t, rows)
    note(features, 218, combined(combined(<uint64_t> 0xda889708052d9365, value_66), value_121), t, rows)
    note(features, 219, combined(combined(<uint64_t> 0xf4f612b4d21cf810, value_67), value_121), t, rows)


cdef void look_with_lr_spines(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_lr_spines(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_lr_spines(f, s, columns, features, &table, rows)


cdef inline void note_morphological(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.stack[s.top - 2]
    cdef int node_3 = s.buffer[s.front + 0]
    cdef int node_4 = s.buffer[s.front + 1]
    cdef int node_5 = s.buffer[s.front + 2]
    cdef int node_6 = s.heads[node_0]
    cdef int node_7 = s.left[node_0]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.left[node_3]
    cdef int node_10 = s.left[node_1]
    cdef int node_11 = s.right[node_1]
    cdef int node_12 = s.heads[node_6]
    cdef int node_13 = s.inner[s.left[node_0]]
    cdef int node_14 = s.inner[s.right[node_0]]
    cdef int node_15 = s.inner[s.left[node_3]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_3]
    cdef uint64_t value_6 = columns[1][node_3]
    cdef uint64_t value_7 = columns[0][node_4]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[0][node_5]
    cdef uint64_t value_10 = columns[1][node_5]
    cdef uint64_t value_11 = columns[1][node_6]
    cdef uint64_t value_12 = columns[1][node_7]
    cdef uint64_t value_13 = columns[1][node_8]
    cdef uint64_t value_14 = columns[1][node_9]
    cdef uint64_t value_15 = columns[1][node_10]
    cdef uint64_t value_16 = columns[1][node_11]
    cdef uint64_t value_17 = s.lanes[0][node_10]
    cdef uint64_t value_18 = s.lanes[0][node_11]
    cdef uint64_t value_19 = distance_value(f, node_0, node_3)
    cdef uint64_t value_20 = s.lanes[2][node_0]
    cdef uint64_t value_21 = s.lanes[1][node_0]
    cdef uint64_t value_22 = s.lanes[1][node_3]
    cdef uint64_t value_23 = columns[0][node_6]
    cdef uint64_t value_24 = s.lanes[0][node_0]
    cdef uint64_t value_25 = s.lanes[0][node_1]
    cdef uint64_t value_26 = columns[0][node_7]
    cdef uint64_t value_27 = s.lanes[0][node_7]
    cdef uint64_t value_28 = columns[0][node_8]
    cdef uint64_t value_29 = s.lanes[0][node_8]
    cdef uint64_t value_30 = columns[0][node_9]
    cdef uint64_t value_31 = s.lanes[0][node_9]
    cdef uint64_t value_32 = columns[0][node_12]
    cdef uint64_t value_33 = columns[1][node_12]
    cdef uint64_t value_34 = s.lanes[0][node_6]
    cdef uint64_t value_35 = columns[0][node_13]
    cdef uint64_t value_36 = columns[1][node_13]
    cdef uint64_t value_37 = s.lanes[0][node_13]
    cdef uint64_t value_38 = columns[0][node_14]
    cdef uint64_t value_39 = columns[1][node_14]
    cdef uint64_t value_40 = s.lanes[0][node_14]
    cdef uint64_t value_41 = columns[0][node_15]
    cdef uint64_t value_42 = columns[1][node_15]
    cdef uint64_t value_43 = s.lanes[0][node_15]
    cdef uint64_t value_44 = s.lanes[4][node_0]
    cdef uint64_t value_45 = s.lanes[3][node_0]
    cdef uint64_t value_46 = s.lanes[3][node_3]
    cdef uint64_t value_47 = columns[2][node_0]
    cdef uint64_t value_48 = columns[2][node_3]
    cdef uint64_t value_49 = columns[3][node_0]
    cdef uint64_t value_50 = columns[3][node_3]
    cdef uint64_t value_51 = columns[3][node_1]
    cdef uint64_t value_52 = columns[4][node_0]
    cdef uint64_t value_53 = columns[4][node_3]
    cdef uint64_t value_54 = columns[4][node_1]
    cdef uint64_t value_55 = columns[5][node_0]
    cdef uint64_t value_56 = columns[5][node_3]
    cdef uint64_t value_57 = columns[6][node_0]
    cdef uint64_t value_58 = columns[6][node_3]
    cdef uint64_t value_59 = columns[7][node_0]
    cdef uint64_t value_60 = columns[7][node_3]
    cdef uint64_t value_61 = columns[8][node_0]
    cdef uint64_t value_62 = columns[8][node_3]
    note(features, 0, combined(<uint64_t> 0xe304bc7cfaacfb90, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x495ab700a2c440c9, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0xc59be3a8c1bb8158, value_0), value_1), t, rows)
    note(features, 3, combined(<uint64_t> 0xcec954ffd9b8878, value_2), t, rows)
    note(features, 4, combined(<uint64_t> 0x76992a1cdb445c40, value_3), t, rows)
    note(features, 5, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_2), value_3), t, rows)
    note(features, 6, combined(<uint64_t> 0x572b99ff8b2f76bf, value_4), t, rows)
    note(features, 7, combined(<uint64_t> 0xa43bd59338637668, value_5), t, rows)
    note(features, 8, combined(<uint64_t> 0xa60551fa60b443d2, value_6), t, rows)
    note(features, 9, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_6), t, rows)
    note(features, 10, combined(<uint64_t> 0xd66fb7f7a357055d, value_7), t, rows)
    note(features, 11, combined(<uint64_t> 0xba7884e5e8e412d2, value_8), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_7), value_8), t, rows)
    note(features, 13, combined(<uint64_t> 0x5f5084618079687d, value_9), t, rows)
    note(features, 14, combined(<uint64_t> 0x95bea0ecf5e8e674, value_10), t, rows)
    note(features, 15, combined(combined(combined(combined(<uint64_t> 0x8d3bdb97730de6d4, value_0), value_1), value_5), value_6), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0x3335a786ec3d99f3, value_0), value_1), value_5), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xaee906ef4981fb39, value_0), value_5), value_6), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0x387b2025dc28c893, value_0), value_1), value_6), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xfaf0c2e125b7353d, value_1), value_5), value_6), t, rows)
    note(features, 20, combined(combined(<uint64_t> 0x9bc93cb7bfdf78f, value_0), value_5), t, rows)
    note(features, 21, combined(combined(<uint64_t> 0xb50d357957844bea, value_1), value_6), t, rows)
    note(features, 22, combined(combined(<uint64_t> 0x9d999033de050247, value_6), value_8), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0x351887b5460ccb7f, value_3), value_1), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0x3df572e072fe7a4d, value_3), value_0), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xaa825e4659688a23, value_2), value_1), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x6bb974fb58bf7a5d, value_2), value_0), t, rows)
    note(features, 27, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_3), value_6), t, rows)
    note(features, 28, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_6), value_8), value_10), t, rows)
    note(features, 29, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_1), value_6), value_8), t, rows)
    note(features, 30, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_3), value_1), value_6), t, rows)
    note(features, 31, combined(combined(combined(<uint64_t> 0x558232bdf2b571f5, value_4), value_3), value_1), t, rows)
    note(features, 32, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_11), value_1), value_6), t, rows)
    note(features, 33, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_1), value_12), value_6), t, rows)
    note(features, 34, combined(combined(combined(<uint64_t> 0x10434ffff2d12aa3, value_1), value_13), value_6), t, rows)
    note(features, 35, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_1), value_6), value_14), t, rows)
    note(features, 36, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_3), value_1), value_12), t, rows)
    note(features, 37, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_3), value_1), value_13), t, rows)
    note(features, 38, combined(combined(combined(<uint64_t> 0x3ef7da1cd0f0a8b0, value_3), value_15), value_1), t, rows)
    note(features, 39, combined(combined(combined(<uint64_t> 0xd7432ef88da16f22, value_3), value_16), value_1), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x30953499b8709ea7, value_17), value_18), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0xd37adb1722a43706, value_19), value_0), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x700b678d1dbdcb81, value_19), value_1), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0x48091470c3ef98e0, value_19), value_5), t, rows)
    note(features, 44, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_19), value_6), t, rows)
    note(features, 45, combined(combined(combined(<uint64_t> 0x22309c0d342d145d, value_19), value_0), value_5), t, rows)
    note(features, 46, combined(combined(combined(<uint64_t> 0x20595602a730e070, value_19), value_1), value_6), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0xdc9ddf24856f06af, value_20), value_0), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xc4b8c48cf720b88f, value_20), value_1), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0x4e20c2d82ddf91cd, value_21), value_0), t, rows)
    note(features, 50, combined(combined(<uint64_t> 0xb63823f9c6e366e3, value_21), value_1), t, rows)
    note(features, 51, combined(combined(<uint64_t> 0x2e6f5be24f4365b, value_22), value_5), t, rows)
    note(features, 52, combined(combined(<uint64_t> 0x716091696bb7f261, value_22), value_6), t, rows)
    note(features, 53, combined(<uint64_t> 0x424c3b0652d40243, value_23), t, rows)
    note(features, 54, combined(<uint64_t> 0x9eee9bbf791e9d57, value_11), t, rows)
    note(features, 55, combined(<uint64_t> 0x139f2d41f56a27ba, value_24), t, rows)
    note(features, 56, combined(combined(<uint64_t> 0x90aa9db4d3446310, value_24), value_1), t, rows)
    note(features, 57, combined(<uint64_t> 0xd4ea21c152ce24cc, value_25), t, rows)
    note(features, 58, combined(<uint64_t> 0x87ae1ac54149ec91, value_26), t, rows)
    note(features, 59, combined(<uint64_t> 0xdd157d377ad5e2ea, value_12), t, rows)
    note(features, 60, combined(<uint64_t> 0xc8d94114bd760d9, value_27), t, rows)
    note(features, 61, combined(<uint64_t> 0xbe5c30171e5c97da, value_28), t, rows)
    note(features, 62, combined(<uint64_t> 0x585338695bcff851, value_13), t, rows)
    note(features, 63, combined(<uint64_t> 0x75f7c95577f5bcc1, value_29), t, rows)
    note(features, 64, combined(<uint64_t> 0x7213f8a0dc6dc006, value_30), t, rows)
    note(features, 65, combined(<uint64_t> 0x43b85819b08f850a, value_14), t, rows)
    note(features, 66, combined(<uint64_t> 0x28393452d6747e07, value_31), t, rows)
    note(features, 67, combined(<uint64_t> 0xea6463ff79e27e1e, value_32), t, rows)
    note(features, 68, combined(<uint64_t> 0xc98292c6791016f3, value_33), t, rows)
    note(features, 69, combined(<uint64_t> 0x54b7203c595b3e72, value_34), t, rows)
    note(features, 70, combined(<uint64_t> 0xd13db9ad163ad287, value_35), t, rows)
    note(features, 71, combined(<uint64_t> 0x9bf98b282c5906c1, value_36), t, rows)
    note(features, 72, combined(<uint64_t> 0xdc1d7c12e999112a, value_37), t, rows)
    note(features, 73, combined(<uint64_t> 0xa908444b644697f5, value_38), t, rows)
    note(features, 74, combined(<uint64_t> 0xcb63f87eefb13d7, value_39), t, rows)
    note(features, 75, combined(<uint64_t> 0xbf4945111e0c4332, value_40), t, rows)
    note(features, 76, combined(<uint64_t> 0xf68d477fc0078fad, value_41), t, rows)
    note(features, 77, combined(<uint64_t> 0x5d6325f40f9b3472, value_42), t, rows)
    note(features, 78, combined(<uint64_t> 0xbac4fffb5ae469b4, value_43), t, rows)
    note(features, 79, combined(combined(combined(<uint64_t> 0x96e9ad8ee85c929b, value_1), value_12), value_36), t, rows)
    note(features, 80, combined(combined(combined(<uint64_t> 0xc441e473a67cbea3, value_1), value_13), value_39), t, rows)
    note(features, 81, combined(combined(combined(<uint64_t> 0x710fa385b9f9c60f, value_1), value_11), value_33), t, rows)
    note(features, 82, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_6), value_14), value_42), t, rows)
    note(features, 83, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_0), value_44), t, rows)
    note(features, 84, combined(combined(<uint64_t> 0x3a8b3dbf252bcda1, value_1), value_44), t, rows)
    note(features, 85, combined(combined(<uint64_t> 0x3990f2981bfc319e, value_0), value_45), t, rows)
    note(features, 86, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_1), value_45), t, rows)
    note(features, 87, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_46), t, rows)
    note(features, 88, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_6), value_46), t, rows)
    note(features, 89, combined(<uint64_t> 0xe4f25d243306f4c0, value_47), t, rows)
    note(features, 90, combined(<uint64_t> 0x22f551dc86b666b4, value_48), t, rows)
    note(features, 91, combined(combined(<uint64_t> 0x89c1b29bf82b4cea, value_47), value_48), t, rows)
    note(features, 92, combined(<uint64_t> 0xec46fefc3f4f18ee, value_49), t, rows)
    note(features, 93, combined(<uint64_t> 0xb31b6654d9b28105, value_50), t, rows)
    note(features, 94, combined(<uint64_t> 0xbcf01d868c4b0cf7, value_51), t, rows)
    note(features, 95, combined(combined(<uint64_t> 0x7939c4f61a14baa8, value_49), value_50), t, rows)
    note(features, 96, combined(combined(<uint64_t> 0x680fd885e0315aa8, value_51), value_49), t, rows)
    note(features, 97, combined(combined(<uint64_t> 0xba80e6bcf014c223, value_1), value_52), t, rows)
    note(features, 98, combined(combined(<uint64_t> 0x3df728eb0d29f317, value_52), value_6), t, rows)
    note(features, 99, combined(combined(<uint64_t> 0xacf6950f9b4eb0c5, value_1), value_53), t, rows)
    note(features, 100, combined(combined(<uint64_t> 0xf96e09d20d207ccf, value_52), value_53), t, rows)
    note(features, 101, combined(combined(<uint64_t> 0x4b1952b0e57dbcf6, value_54), value_52), t, rows)
    note(features, 102, combined(combined(<uint64_t> 0x9c1338b8667da64a, value_55), value_56), t, rows)
    note(features, 103, combined(combined(<uint64_t> 0x41b7b91290e00a8a, value_57), value_58), t, rows)
    note(features, 104, combined(combined(<uint64_t> 0xd023dc11f95f3bf1, value_59), value_60), t, rows)
    note(features, 105, combined(combined(<uint64_t> 0x7226141a2b9ae261, value_61), value_62), t, rows)


cdef void look_with_morphological(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_morphological(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_morphological(f, s, columns, features, &table, rows)


cdef inline void note_tagged(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.buffer[s.front + 0]
    cdef int node_3 = s.buffer[s.front + 1]
    cdef int node_4 = s.buffer[s.front + 2]
    cdef int node_5 = s.heads[node_0]
    cdef int node_6 = s.left[node_0]
    cdef int node_7 = s.left[node_2]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.inner[s.left[node_2]]
    cdef int node_10 = s.inner[s.left[node_0]]
    cdef int node_11 = s.inner[s.right[node_0]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_2]
    cdef uint64_t value_6 = columns[0][node_3]
    cdef uint64_t value_7 = columns[1][node_3]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[1][node_5]
    cdef uint64_t value_10 = columns[1][node_6]
    cdef uint64_t value_11 = columns[1][node_7]
    cdef uint64_t value_12 = columns[1][node_8]
    cdef uint64_t value_13 = columns[1][node_9]
    cdef uint64_t value_14 = distance_value(f, node_0, node_2)
    cdef uint64_t value_15 = s.lanes[1][node_2]
    cdef uint64_t value_16 = s.lanes[0][node_0]
    cdef uint64_t value_17 = columns[0][node_6]
    cdef uint64_t value_18 = s.lanes[0][node_6]
    cdef uint64_t value_19 = columns[0][node_8]
    cdef uint64_t value_20 = columns[1][node_10]
    cdef uint64_t value_21 = s.lanes[0][node_10]
    cdef uint64_t value_22 = columns[1][node_11]
    cdef uint64_t value_23 = columns[0][node_7]
    cdef uint64_t value_24 = s.lanes[0][node_7]
    cdef uint64_t value_25 = columns[0][node_9]
    cdef uint64_t value_26 = s.lanes[0][node_9]
    cdef uint64_t value_27 = s.lanes[4][node_0]
    cdef uint64_t value_28 = s.lanes[3][node_0]
    cdef uint64_t value_29 = s.lanes[3][node_2]
    cdef uint64_t value_30 = columns[2][node_0]
    cdef uint64_t value_31 = columns[2][node_2]
    cdef uint64_t value_32 = columns[2][node_3]
    cdef uint64_t value_33 = columns[2][node_7]
    cdef uint64_t value_34 = columns[3][node_0]
    cdef uint64_t value_35 = columns[3][node_2]
    cdef uint64_t value_36 = columns[3][node_1]
    cdef uint64_t value_37 = columns[3][node_3]
    cdef uint64_t value_38 = columns[3][node_8]
    cdef uint64_t value_39 = columns[3][node_6]
    cdef uint64_t value_40 = columns[3][node_7]
    note(features, 0, combined(<uint64_t> 0xe304bc7cfaacfb90, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x495ab700a2c440c9, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_2), value_3), t, rows)
    note(features, 3, combined(<uint64_t> 0xa60551fa60b443d2, value_4), t, rows)
    note(features, 4, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_4), t, rows)
    note(features, 5, combined(<uint64_t> 0xd66fb7f7a357055d, value_6), t, rows)
    note(features, 6, combined(<uint64_t> 0xba7884e5e8e412d2, value_7), t, rows)
    note(features, 7, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_6), value_7), t, rows)
    note(features, 8, combined(<uint64_t> 0x95bea0ecf5e8e674, value_8), t, rows)
    note(features, 9, combined(combined(combined(<uint64_t> 0x387b2025dc28c893, value_0), value_1), value_4), t, rows)
    note(features, 10, combined(combined(combined(<uint64_t> 0xfaf0c2e125b7353d, value_1), value_5), value_4), t, rows)
    note(features, 11, combined(combined(<uint64_t> 0x3df572e072fe7a4d, value_3), value_0), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_3), value_4), t, rows)
    note(features, 13, combined(combined(<uint64_t> 0x9d999033de050247, value_4), value_7), t, rows)
    note(features, 14, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_4), value_7), value_8), t, rows)
    note(features, 15, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_1), value_4), value_7), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_3), value_1), value_4), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_9), value_1), value_4), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_1), value_10), value_4), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_1), value_4), value_11), t, rows)
    note(features, 20, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_3), value_1), value_10), t, rows)
    note(features, 21, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_3), value_1), value_12), t, rows)
    note(features, 22, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_4), value_11), value_13), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0xd37adb1722a43706, value_14), value_0), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0x48091470c3ef98e0, value_14), value_5), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_14), value_4), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x716091696bb7f261, value_15), value_4), t, rows)
    note(features, 27, combined(<uint64_t> 0x139f2d41f56a27ba, value_16), t, rows)
    note(features, 28, combined(<uint64_t> 0x87ae1ac54149ec91, value_17), t, rows)
    note(features, 29, combined(<uint64_t> 0xc8d94114bd760d9, value_18), t, rows)
    note(features, 30, combined(<uint64_t> 0xbe5c30171e5c97da, value_19), t, rows)
    note(features, 31, combined(<uint64_t> 0x9bf98b282c5906c1, value_20), t, rows)
    note(features, 32, combined(<uint64_t> 0xdc1d7c12e999112a, value_21), t, rows)
    note(features, 33, combined(<uint64_t> 0xcb63f87eefb13d7, value_22), t, rows)
    note(features, 34, combined(<uint64_t> 0x7213f8a0dc6dc006, value_23), t, rows)
    note(features, 35, combined(<uint64_t> 0x43b85819b08f850a, value_11), t, rows)
    note(features, 36, combined(<uint64_t> 0x28393452d6747e07, value_24), t, rows)
    note(features, 37, combined(<uint64_t> 0xf68d477fc0078fad, value_25), t, rows)
    note(features, 38, combined(<uint64_t> 0x5d6325f40f9b3472, value_13), t, rows)
    note(features, 39, combined(<uint64_t> 0xbac4fffb5ae469b4, value_26), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_0), value_27), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_1), value_28), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_29), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_4), value_29), t, rows)
    note(features, 44, combined(<uint64_t> 0xec46fefc3f4f18ee, value_30), t, rows)
    note(features, 45, combined(<uint64_t> 0xb31b6654d9b28105, value_31), t, rows)
    note(features, 46, combined(combined(<uint64_t> 0x7939c4f61a14baa8, value_30), value_31), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0x6e37b19c44c3265b, value_1), value_30), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xcc3a664e2fc331b4, value_4), value_31), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0xf69c75753b884e63, value_7), value_32), t, rows)
    note(features, 50, combined(combined(combined(<uint64_t> 0xde4aacdfd76846bc, value_1), value_30), value_4), t, rows)
    note(features, 51, combined(combined(combined(combined(<uint64_t> 0x246de6c8e4e61998, value_4), value_31), value_7), value_32), t, rows)
    note(features, 52, combined(combined(combined(<uint64_t> 0xa84ef76626b743f1, value_33), value_1), value_4), t, rows)
    note(features, 53, combined(<uint64_t> 0xe4f25d243306f4c0, value_34), t, rows)
    note(features, 54, combined(<uint64_t> 0x22f551dc86b666b4, value_35), t, rows)
    note(features, 55, combined(<uint64_t> 0xe931e29d79e07c71, value_36), t, rows)
    note(features, 56, combined(<uint64_t> 0x28a1921914d007dc, value_37), t, rows)
    note(features, 57, combined(combined(<uint64_t> 0x2eaf3a515988ef7d, value_34), value_4), t, rows)
    note(features, 58, combined(combined(<uint64_t> 0x8e55842243f5f63a, value_1), value_35), t, rows)
    note(features, 59, combined(combined(<uint64_t> 0x89c1b29bf82b4cea, value_34), value_35), t, rows)
    note(features, 60, combined(combined(<uint64_t> 0x31a258211e2470b0, value_34), value_31), t, rows)
    note(features, 61, combined(<uint64_t> 0x729833ffb3faa3d8, value_38), t, rows)
    note(features, 62, combined(<uint64_t> 0x28a304cac17ca17a, value_39), t, rows)
    note(features, 63, combined(<uint64_t> 0x8e9dc2d5a7743020, value_40), t, rows)
    note(features, 64, combined(combined(<uint64_t> 0xb2b34086ffa82da7, value_34), value_27), t, rows)
    note(features, 65, combined(combined(<uint64_t> 0xd0101ce5a73a4401, value_35), value_29), t, rows)
    note(features, 66, combined(combined(<uint64_t> 0x427b505f4bba474f, value_14), value_34), t, rows)


cdef void look_with_tagged(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_tagged(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_tagged(f, s, columns, features, &table, rows)


cdef inline void note_with_feats(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.stack[s.top - 2]
    cdef int node_3 = s.buffer[s.front + 0]
    cdef int node_4 = s.buffer[s.front + 1]
    cdef int node_5 = s.buffer[s.front + 2]
    cdef int node_6 = s.heads[node_0]
    cdef int node_7 = s.left[node_0]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.left[node_3]
    cdef int node_10 = s.left[node_1]
    cdef int node_11 = s.right[node_1]
    cdef int node_12 = s.heads[node_6]
    cdef int node_13 = s.inner[s.left[node_0]]
    cdef int node_14 = s.inner[s.right[node_0]]
    cdef int node_15 = s.inner[s.left[node_3]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_3]
    cdef uint64_t value_6 = columns[1][node_3]
    cdef uint64_t value_7 = columns[0][node_4]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[0][node_5]
    cdef uint64_t value_10 = columns[1][node_5]
    cdef uint64_t value_11 = columns[1][node_6]
    cdef uint64_t value_12 = columns[1][node_7]
    cdef uint64_t value_13 = columns[1][node_8]
    cdef uint64_t value_14 = columns[1][node_9]
    cdef uint64_t value_15 = columns[1][node_10]
    cdef uint64_t value_16 = columns[1][node_11]
    cdef uint64_t value_17 = s.lanes[0][node_10]
    cdef uint64_t value_18 = s.lanes[0][node_11]
    cdef uint64_t value_19 = distance_value(f, node_0, node_3)
    cdef uint64_t value_20 = s.lanes[2][node_0]
    cdef uint64_t value_21 = s.lanes[1][node_0]
    cdef uint64_t value_22 = s.lanes[1][node_3]
    cdef uint64_t value_23 = columns[0][node_6]
    cdef uint64_t value_24 = s.lanes[0][node_0]
    cdef uint64_t value_25 = s.lanes[0][node_1]
    cdef uint64_t value_26 = columns[0][node_7]
    cdef uint64_t value_27 = s.lanes[0][node_7]
    cdef uint64_t value_28 = columns[0][node_8]
    cdef uint64_t value_29 = s.lanes[0][node_8]
    cdef uint64_t value_30 = columns[0][node_9]
    cdef uint64_t value_31 = s.lanes[0][node_9]
    cdef uint64_t value_32 = columns[0][node_12]
    cdef uint64_t value_33 = columns[1][node_12]
    cdef uint64_t value_34 = s.lanes[0][node_6]
    cdef uint64_t value_35 = columns[0][node_13]
    cdef uint64_t value_36 = columns[1][node_13]
    cdef uint64_t value_37 = s.lanes[0][node_13]
    cdef uint64_t value_38 = columns[0][node_14]
    cdef uint64_t value_39 = columns[1][node_14]
    cdef uint64_t value_40 = s.lanes[0][node_14]
    cdef uint64_t value_41 = columns[0][node_15]
    cdef uint64_t value_42 = columns[1][node_15]
    cdef uint64_t value_43 = s.lanes[0][node_15]
    cdef uint64_t value_44 = s.lanes[4][node_0]
    cdef uint64_t value_45 = s.lanes[3][node_0]
    cdef uint64_t value_46 = s.lanes[3][node_3]
    cdef uint64_t value_47 = columns[2][node_0]
    cdef uint64_t value_48 = columns[2][node_3]
    cdef uint64_t value_49 = columns[2][node_4]
    cdef uint64_t value_50 = columns[2][node_1]
    cdef uint64_t value_51 = columns[2][node_7]
    cdef uint64_t value_52 = columns[2][node_8]
    cdef uint64_t value_53 = columns[2][node_9]
    note(features, 0, combined(<uint64_t> 0xe304bc7cfaacfb90, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x495ab700a2c440c9, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0xc59be3a8c1bb8158, value_0), value_1), t, rows)
    note(features, 3, combined(<uint64_t> 0xcec954ffd9b8878, value_2), t, rows)
    note(features, 4, combined(<uint64_t> 0x76992a1cdb445c40, value_3), t, rows)
    note(features, 5, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_2), value_3), t, rows)
    note(features, 6, combined(<uint64_t> 0x572b99ff8b2f76bf, value_4), t, rows)
    note(features, 7, combined(<uint64_t> 0xa43bd59338637668, value_5), t, rows)
    note(features, 8, combined(<uint64_t> 0xa60551fa60b443d2, value_6), t, rows)
    note(features, 9, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_6), t, rows)
    note(features, 10, combined(<uint64_t> 0xd66fb7f7a357055d, value_7), t, rows)
    note(features, 11, combined(<uint64_t> 0xba7884e5e8e412d2, value_8), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_7), value_8), t, rows)
    note(features, 13, combined(<uint64_t> 0x5f5084618079687d, value_9), t, rows)
    note(features, 14, combined(<uint64_t> 0x95bea0ecf5e8e674, value_10), t, rows)
    note(features, 15, combined(combined(combined(combined(<uint64_t> 0x8d3bdb97730de6d4, value_0), value_1), value_5), value_6), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0x3335a786ec3d99f3, value_0), value_1), value_5), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xaee906ef4981fb39, value_0), value_5), value_6), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0x387b2025dc28c893, value_0), value_1), value_6), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xfaf0c2e125b7353d, value_1), value_5), value_6), t, rows)
    note(features, 20, combined(combined(<uint64_t> 0x9bc93cb7bfdf78f, value_0), value_5), t, rows)
    note(features, 21, combined(combined(<uint64_t> 0xb50d357957844bea, value_1), value_6), t, rows)
    note(features, 22, combined(combined(<uint64_t> 0x9d999033de050247, value_6), value_8), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0x351887b5460ccb7f, value_3), value_1), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0x3df572e072fe7a4d, value_3), value_0), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xaa825e4659688a23, value_2), value_1), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x6bb974fb58bf7a5d, value_2), value_0), t, rows)
    note(features, 27, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_3), value_6), t, rows)
    note(features, 28, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_6), value_8), value_10), t, rows)
    note(features, 29, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_1), value_6), value_8), t, rows)
    note(features, 30, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_3), value_1), value_6), t, rows)
    note(features, 31, combined(combined(combined(<uint64_t> 0x558232bdf2b571f5, value_4), value_3), value_1), t, rows)
    note(features, 32, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_11), value_1), value_6), t, rows)
    note(features, 33, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_1), value_12), value_6), t, rows)
    note(features, 34, combined(combined(combined(<uint64_t> 0x10434ffff2d12aa3, value_1), value_13), value_6), t, rows)
    note(features, 35, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_1), value_6), value_14), t, rows)
    note(features, 36, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_3), value_1), value_12), t, rows)
    note(features, 37, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_3), value_1), value_13), t, rows)
    note(features, 38, combined(combined(combined(<uint64_t> 0x3ef7da1cd0f0a8b0, value_3), value_15), value_1), t, rows)
    note(features, 39, combined(combined(combined(<uint64_t> 0xd7432ef88da16f22, value_3), value_16), value_1), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x30953499b8709ea7, value_17), value_18), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0xd37adb1722a43706, value_19), value_0), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x700b678d1dbdcb81, value_19), value_1), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0x48091470c3ef98e0, value_19), value_5), t, rows)
    note(features, 44, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_19), value_6), t, rows)
    note(features, 45, combined(combined(combined(<uint64_t> 0x22309c0d342d145d, value_19), value_0), value_5), t, rows)
    note(features, 46, combined(combined(combined(<uint64_t> 0x20595602a730e070, value_19), value_1), value_6), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0xdc9ddf24856f06af, value_20), value_0), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xc4b8c48cf720b88f, value_20), value_1), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0x4e20c2d82ddf91cd, value_21), value_0), t, rows)
    note(features, 50, combined(combined(<uint64_t> 0xb63823f9c6e366e3, value_21), value_1), t, rows)
    note(features, 51, combined(combined(<uint64_t> 0x2e6f5be24f4365b, value_22), value_5), t, rows)
    note(features, 52, combined(combined(<uint64_t> 0x716091696bb7f261, value_22), value_6), t, rows)
    note(features, 53, combined(<uint64_t> 0x424c3b0652d40243, value_23), t, rows)
    note(features, 54, combined(<uint64_t> 0x9eee9bbf791e9d57, value_11), t, rows)
    note(features, 55, combined(<uint64_t> 0x139f2d41f56a27ba, value_24), t, rows)
    note(features, 56, combined(combined(<uint64_t> 0x90aa9db4d3446310, value_24), value_1), t, rows)
    note(features, 57, combined(<uint64_t> 0xd4ea21c152ce24cc, value_25), t, rows)
    note(features, 58, combined(<uint64_t> 0x87ae1ac54149ec91, value_26), t, rows)
    note(features, 59, combined(<uint64_t> 0xdd157d377ad5e2ea, value_12), t, rows)
    note(features, 60, combined(<uint64_t> 0xc8d94114bd760d9, value_27), t, rows)
    note(features, 61, combined(<uint64_t> 0xbe5c30171e5c97da, value_28), t, rows)
    note(features, 62, combined(<uint64_t> 0x585338695bcff851, value_13), t, rows)
    note(features, 63, combined(<uint64_t> 0x75f7c95577f5bcc1, value_29), t, rows)
    note(features, 64, combined(<uint64_t> 0x7213f8a0dc6dc006, value_30), t, rows)
    note(features, 65, combined(<uint64_t> 0x43b85819b08f850a, value_14), t, rows)
    note(features, 66, combined(<uint64_t> 0x28393452d6747e07, value_31), t, rows)
    note(features, 67, combined(<uint64_t> 0xea6463ff79e27e1e, value_32), t, rows)
    note(features, 68, combined(<uint64_t> 0xc98292c6791016f3, value_33), t, rows)
    note(features, 69, combined(<uint64_t> 0x54b7203c595b3e72, value_34), t, rows)
    note(features, 70, combined(<uint64_t> 0xd13db9ad163ad287, value_35), t, rows)
    note(features, 71, combined(<uint64_t> 0x9bf98b282c5906c1, value_36), t, rows)
    note(features, 72, combined(<uint64_t> 0xdc1d7c12e999112a, value_37), t, rows)
    note(features, 73, combined(<uint64_t> 0xa908444b644697f5, value_38), t, rows)
    note(features, 74, combined(<uint64_t> 0xcb63f87eefb13d7, value_39), t, rows)
    note(features, 75, combined(<uint64_t> 0xbf4945111e0c4332, value_40), t, rows)
    note(features, 76, combined(<uint64_t> 0xf68d477fc0078fad, value_41), t, rows)
    note(features, 77, combined(<uint64_t> 0x5d6325f40f9b3472, value_42), t, rows)
    note(features, 78, combined(<uint64_t> 0xbac4fffb5ae469b4, value_43), t, rows)
    note(features, 79, combined(combined(combined(<uint64_t> 0x96e9ad8ee85c929b, value_1), value_12), value_36), t, rows)
    note(features, 80, combined(combined(combined(<uint64_t> 0xc441e473a67cbea3, value_1), value_13), value_39), t, rows)
    note(features, 81, combined(combined(combined(<uint64_t> 0x710fa385b9f9c60f, value_1), value_11), value_33), t, rows)
    note(features, 82, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_6), value_14), value_42), t, rows)
    note(features, 83, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_0), value_44), t, rows)
    note(features, 84, combined(combined(<uint64_t> 0x3a8b3dbf252bcda1, value_1), value_44), t, rows)
    note(features, 85, combined(combined(<uint64_t> 0x3990f2981bfc319e, value_0), value_45), t, rows)
    note(features, 86, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_1), value_45), t, rows)
    note(features, 87, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_46), t, rows)
    note(features, 88, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_6), value_46), t, rows)
    note(features, 89, combined(<uint64_t> 0xec46fefc3f4f18ee, value_47), t, rows)
    note(features, 90, combined(<uint64_t> 0xb31b6654d9b28105, value_48), t, rows)
    note(features, 91, combined(combined(<uint64_t> 0x7939c4f61a14baa8, value_47), value_48), t, rows)
    note(features, 92, combined(combined(<uint64_t> 0x6e37b19c44c3265b, value_1), value_47), t, rows)
    note(features, 93, combined(combined(<uint64_t> 0xcc3a664e2fc331b4, value_6), value_48), t, rows)
    note(features, 94, combined(combined(<uint64_t> 0xf69c75753b884e63, value_8), value_49), t, rows)
    note(features, 95, combined(combined(combined(<uint64_t> 0xde4aacdfd76846bc, value_1), value_47), value_6), t, rows)
    note(features, 96, combined(combined(combined(<uint64_t> 0x730f36f0444249fe, value_1), value_6), value_48), t, rows)
    note(features, 97, combined(combined(combined(combined(<uint64_t> 0x56ab178381a41f27, value_1), value_47), value_6), value_48), t, rows)
    note(features, 98, combined(combined(combined(combined(<uint64_t> 0x3fc715470c770ca4, value_3), value_50), value_1), value_47), t, rows)
    note(features, 99, combined(combined(combined(combined(<uint64_t> 0x246de6c8e4e61998, value_6), value_48), value_8), value_49), t, rows)
    note(features, 100, combined(combined(combined(<uint64_t> 0xd8ace7b4c8fef7f8, value_51), value_1), value_6), t, rows)
    note(features, 101, combined(combined(combined(<uint64_t> 0x90923d3ce83eecaf, value_52), value_1), value_6), t, rows)
    note(features, 102, combined(combined(combined(<uint64_t> 0xa84ef76626b743f1, value_53), value_1), value_6), t, rows)


cdef void look_with_with_feats(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_with_feats(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_with_feats(f, s, columns, features, &table, rows)


cdef inline void note_with_xpos(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.buffer[s.front + 0]
    cdef int node_3 = s.buffer[s.front + 1]
    cdef int node_4 = s.buffer[s.front + 2]
    cdef int node_5 = s.heads[node_0]
    cdef int node_6 = s.left[node_0]
    cdef int node_7 = s.left[node_2]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.inner[s.left[node_2]]
    cdef int node_10 = s.inner[s.left[node_0]]
    cdef int node_11 = s.inner[s.right[node_0]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_2]
    cdef uint64_t value_6 = columns[0][node_3]
    cdef uint64_t value_7 = columns[1][node_3]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[1][node_5]
    cdef uint64_t value_10 = columns[1][node_6]
    cdef uint64_t value_11 = columns[1][node_7]
    cdef uint64_t value_12 = columns[1][node_8]
    cdef uint64_t value_13 = columns[1][node_9]
    cdef uint64_t value_14 = distance_value(f, node_0, node_2)
    cdef uint64_t value_15 = s.lanes[1][node_2]
    cdef uint64_t value_16 = s.lanes[0][node_0]
    cdef uint64_t value_17 = columns[0][node_6]
    cdef uint64_t value_18 = s.lanes[0][node_6]
    cdef uint64_t value_19 = columns[0][node_8]
    cdef uint64_t value_20 = columns[1][node_10]
    cdef uint64_t value_21 = s.lanes[0][node_10]
    cdef uint64_t value_22 = columns[1][node_11]
    cdef uint64_t value_23 = columns[0][node_7]
    cdef uint64_t value_24 = s.lanes[0][node_7]
    cdef uint64_t value_25 = columns[0][node_9]
    cdef uint64_t value_26 = s.lanes[0][node_9]
    cdef uint64_t value_27 = s.lanes[4][node_0]
    cdef uint64_t value_28 = s.lanes[3][node_0]
    cdef uint64_t value_29 = s.lanes[3][node_2]
    cdef uint64_t value_30 = columns[2][node_0]
    cdef uint64_t value_31 = columns[2][node_2]
    cdef uint64_t value_32 = columns[2][node_3]
    cdef uint64_t value_33 = columns[2][node_7]
    cdef uint64_t value_34 = columns[3][node_0]
    cdef uint64_t value_35 = columns[3][node_2]
    cdef uint64_t value_36 = columns[3][node_1]
    cdef uint64_t value_37 = columns[3][node_3]
    note(features, 0, combined(<uint64_t> 0xe304bc7cfaacfb90, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x495ab700a2c440c9, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_2), value_3), t, rows)
    note(features, 3, combined(<uint64_t> 0xa60551fa60b443d2, value_4), t, rows)
    note(features, 4, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_4), t, rows)
    note(features, 5, combined(<uint64_t> 0xd66fb7f7a357055d, value_6), t, rows)
    note(features, 6, combined(<uint64_t> 0xba7884e5e8e412d2, value_7), t, rows)
    note(features, 7, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_6), value_7), t, rows)
    note(features, 8, combined(<uint64_t> 0x95bea0ecf5e8e674, value_8), t, rows)
    note(features, 9, combined(combined(combined(<uint64_t> 0x387b2025dc28c893, value_0), value_1), value_4), t, rows)
    note(features, 10, combined(combined(combined(<uint64_t> 0xfaf0c2e125b7353d, value_1), value_5), value_4), t, rows)
    note(features, 11, combined(combined(<uint64_t> 0x3df572e072fe7a4d, value_3), value_0), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_3), value_4), t, rows)
    note(features, 13, combined(combined(<uint64_t> 0x9d999033de050247, value_4), value_7), t, rows)
    note(features, 14, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_4), value_7), value_8), t, rows)
    note(features, 15, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_1), value_4), value_7), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_3), value_1), value_4), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_9), value_1), value_4), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_1), value_10), value_4), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_1), value_4), value_11), t, rows)
    note(features, 20, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_3), value_1), value_10), t, rows)
    note(features, 21, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_3), value_1), value_12), t, rows)
    note(features, 22, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_4), value_11), value_13), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0xd37adb1722a43706, value_14), value_0), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0x48091470c3ef98e0, value_14), value_5), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_14), value_4), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x716091696bb7f261, value_15), value_4), t, rows)
    note(features, 27, combined(<uint64_t> 0x139f2d41f56a27ba, value_16), t, rows)
    note(features, 28, combined(<uint64_t> 0x87ae1ac54149ec91, value_17), t, rows)
    note(features, 29, combined(<uint64_t> 0xc8d94114bd760d9, value_18), t, rows)
    note(features, 30, combined(<uint64_t> 0xbe5c30171e5c97da, value_19), t, rows)
    note(features, 31, combined(<uint64_t> 0x9bf98b282c5906c1, value_20), t, rows)
    note(features, 32, combined(<uint64_t> 0xdc1d7c12e999112a, value_21), t, rows)
    note(features, 33, combined(<uint64_t> 0xcb63f87eefb13d7, value_22), t, rows)
    note(features, 34, combined(<uint64_t> 0x7213f8a0dc6dc006, value_23), t, rows)
    note(features, 35, combined(<uint64_t> 0x43b85819b08f850a, value_11), t, rows)
    note(features, 36, combined(<uint64_t> 0x28393452d6747e07, value_24), t, rows)
    note(features, 37, combined(<uint64_t> 0xf68d477fc0078fad, value_25), t, rows)
    note(features, 38, combined(<uint64_t> 0x5d6325f40f9b3472, value_13), t, rows)
    note(features, 39, combined(<uint64_t> 0xbac4fffb5ae469b4, value_26), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_0), value_27), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_1), value_28), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_29), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_4), value_29), t, rows)
    note(features, 44, combined(<uint64_t> 0xec46fefc3f4f18ee, value_30), t, rows)
    note(features, 45, combined(<uint64_t> 0xb31b6654d9b28105, value_31), t, rows)
    note(features, 46, combined(combined(<uint64_t> 0x7939c4f61a14baa8, value_30), value_31), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0x6e37b19c44c3265b, value_1), value_30), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xcc3a664e2fc331b4, value_4), value_31), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0xf69c75753b884e63, value_7), value_32), t, rows)
    note(features, 50, combined(combined(combined(<uint64_t> 0xde4aacdfd76846bc, value_1), value_30), value_4), t, rows)
    note(features, 51, combined(combined(combined(combined(<uint64_t> 0x246de6c8e4e61998, value_4), value_31), value_7), value_32), t, rows)
    note(features, 52, combined(combined(combined(<uint64_t> 0xa84ef76626b743f1, value_33), value_1), value_4), t, rows)
    note(features, 53, combined(combined(<uint64_t> 0xc4e9ae347bcdf086, value_34), value_35), t, rows)
    note(features, 54, combined(combined(<uint64_t> 0x899a48a63d796ecc, value_36), value_34), t, rows)
    note(features, 55, combined(combined(<uint64_t> 0x9bd77e53be50efc4, value_35), value_37), t, rows)


cdef void look_with_with_xpos(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_with_xpos(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_with_xpos(f, s, columns, features, &table, rows)


cdef inline void note_zhang_nivre(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef int node_0 = s.stack[s.top - 0]
    cdef int node_1 = s.stack[s.top - 1]
    cdef int node_2 = s.stack[s.top - 2]
    cdef int node_3 = s.buffer[s.front + 0]
    cdef int node_4 = s.buffer[s.front + 1]
    cdef int node_5 = s.buffer[s.front + 2]
    cdef int node_6 = s.heads[node_0]
    cdef int node_7 = s.left[node_0]
    cdef int node_8 = s.right[node_0]
    cdef int node_9 = s.left[node_3]
    cdef int node_10 = s.left[node_1]
    cdef int node_11 = s.right[node_1]
    cdef int node_12 = s.heads[node_6]
    cdef int node_13 = s.inner[s.left[node_0]]
    cdef int node_14 = s.inner[s.right[node_0]]
    cdef int node_15 = s.inner[s.left[node_3]]
    cdef uint64_t value_0 = columns[0][node_0]
    cdef uint64_t value_1 = columns[1][node_0]
    cdef uint64_t value_2 = columns[0][node_1]
    cdef uint64_t value_3 = columns[1][node_1]
    cdef uint64_t value_4 = columns[1][node_2]
    cdef uint64_t value_5 = columns[0][node_3]
    cdef uint64_t value_6 = columns[1][node_3]
    cdef uint64_t value_7 = columns[0][node_4]
    cdef uint64_t value_8 = columns[1][node_4]
    cdef uint64_t value_9 = columns[0][node_5]
    cdef uint64_t value_10 = columns[1][node_5]
    cdef uint64_t value_11 = columns[1][node_6]
    cdef uint64_t value_12 = columns[1][node_7]
    cdef uint64_t value_13 = columns[1][node_8]
    cdef uint64_t value_14 = columns[1][node_9]
    cdef uint64_t value_15 = columns[1][node_10]
    cdef uint64_t value_16 = columns[1][node_11]
    cdef uint64_t value_17 = s.lanes[0][node_10]
    cdef uint64_t value_18 = s.lanes[0][node_11]
    cdef uint64_t value_19 = distance_value(f, node_0, node_3)
    cdef uint64_t value_20 = s.lanes[2][node_0]
    cdef uint64_t value_21 = s.lanes[1][node_0]
    cdef uint64_t value_22 = s.lanes[1][node_3]
    cdef uint64_t value_23 = columns[0][node_6]
    cdef uint64_t value_24 = s.lanes[0][node_0]
    cdef uint64_t value_25 = s.lanes[0][node_1]
    cdef uint64_t value_26 = columns[0][node_7]
    cdef uint64_t value_27 = s.lanes[0][node_7]
    cdef uint64_t value_28 = columns[0][node_8]
    cdef uint64_t value_29 = s.lanes[0][node_8]
    cdef uint64_t value_30 = columns[0][node_9]
    cdef uint64_t value_31 = s.lanes[0][node_9]
    cdef uint64_t value_32 = columns[0][node_12]
    cdef uint64_t value_33 = columns[1][node_12]
    cdef uint64_t value_34 = s.lanes[0][node_6]
    cdef uint64_t value_35 = columns[0][node_13]
    cdef uint64_t value_36 = columns[1][node_13]
    cdef uint64_t value_37 = s.lanes[0][node_13]
    cdef uint64_t value_38 = columns[0][node_14]
    cdef uint64_t value_39 = columns[1][node_14]
    cdef uint64_t value_40 = s.lanes[0][node_14]
    cdef uint64_t value_41 = columns[0][node_15]
    cdef uint64_t value_42 = columns[1][node_15]
    cdef uint64_t value_43 = s.lanes[0][node_15]
    cdef uint64_t value_44 = s.lanes[4][node_0]
    cdef uint64_t value_45 = s.lanes[3][node_0]
    cdef uint64_t value_46 = s.lanes[3][node_3]
    note(features, 0, combined(<uint64_t> 0xe304bc7cfaacfb90, value_0), t, rows)
    note(features, 1, combined(<uint64_t> 0x495ab700a2c440c9, value_1), t, rows)
    note(features, 2, combined(combined(<uint64_t> 0xc59be3a8c1bb8158, value_0), value_1), t, rows)
    note(features, 3, combined(<uint64_t> 0xcec954ffd9b8878, value_2), t, rows)
    note(features, 4, combined(<uint64_t> 0x76992a1cdb445c40, value_3), t, rows)
    note(features, 5, combined(combined(<uint64_t> 0x41e6400da8efaf31, value_2), value_3), t, rows)
    note(features, 6, combined(<uint64_t> 0x572b99ff8b2f76bf, value_4), t, rows)
    note(features, 7, combined(<uint64_t> 0xa43bd59338637668, value_5), t, rows)
    note(features, 8, combined(<uint64_t> 0xa60551fa60b443d2, value_6), t, rows)
    note(features, 9, combined(combined(<uint64_t> 0xbb3476093652af3c, value_5), value_6), t, rows)
    note(features, 10, combined(<uint64_t> 0xd66fb7f7a357055d, value_7), t, rows)
    note(features, 11, combined(<uint64_t> 0xba7884e5e8e412d2, value_8), t, rows)
    note(features, 12, combined(combined(<uint64_t> 0x25c73dcd03b16413, value_7), value_8), t, rows)
    note(features, 13, combined(<uint64_t> 0x5f5084618079687d, value_9), t, rows)
    note(features, 14, combined(<uint64_t> 0x95bea0ecf5e8e674, value_10), t, rows)
    note(features, 15, combined(combined(combined(combined(<uint64_t> 0x8d3bdb97730de6d4, value_0), value_1), value_5), value_6), t, rows)
    note(features, 16, combined(combined(combined(<uint64_t> 0x3335a786ec3d99f3, value_0), value_1), value_5), t, rows)
    note(features, 17, combined(combined(combined(<uint64_t> 0xaee906ef4981fb39, value_0), value_5), value_6), t, rows)
    note(features, 18, combined(combined(combined(<uint64_t> 0x387b2025dc28c893, value_0), value_1), value_6), t, rows)
    note(features, 19, combined(combined(combined(<uint64_t> 0xfaf0c2e125b7353d, value_1), value_5), value_6), t, rows)
    note(features, 20, combined(combined(<uint64_t> 0x9bc93cb7bfdf78f, value_0), value_5), t, rows)
    note(features, 21, combined(combined(<uint64_t> 0xb50d357957844bea, value_1), value_6), t, rows)
    note(features, 22, combined(combined(<uint64_t> 0x9d999033de050247, value_6), value_8), t, rows)
    note(features, 23, combined(combined(<uint64_t> 0x351887b5460ccb7f, value_3), value_1), t, rows)
    note(features, 24, combined(combined(<uint64_t> 0x3df572e072fe7a4d, value_3), value_0), t, rows)
    note(features, 25, combined(combined(<uint64_t> 0xaa825e4659688a23, value_2), value_1), t, rows)
    note(features, 26, combined(combined(<uint64_t> 0x6bb974fb58bf7a5d, value_2), value_0), t, rows)
    note(features, 27, combined(combined(<uint64_t> 0xaefc7ca83d8d218, value_3), value_6), t, rows)
    note(features, 28, combined(combined(combined(<uint64_t> 0xaec91bbf4085295e, value_6), value_8), value_10), t, rows)
    note(features, 29, combined(combined(combined(<uint64_t> 0x960dca040f26f664, value_1), value_6), value_8), t, rows)
    note(features, 30, combined(combined(combined(<uint64_t> 0xc4f97e8c6acb457e, value_3), value_1), value_6), t, rows)
    note(features, 31, combined(combined(combined(<uint64_t> 0x558232bdf2b571f5, value_4), value_3), value_1), t, rows)
    note(features, 32, combined(combined(combined(<uint64_t> 0xecc3ad1ca69e6764, value_11), value_1), value_6), t, rows)
    note(features, 33, combined(combined(combined(<uint64_t> 0xbba022117de15579, value_1), value_12), value_6), t, rows)
    note(features, 34, combined(combined(combined(<uint64_t> 0x10434ffff2d12aa3, value_1), value_13), value_6), t, rows)
    note(features, 35, combined(combined(combined(<uint64_t> 0xbd78cc8817ac804f, value_1), value_6), value_14), t, rows)
    note(features, 36, combined(combined(combined(<uint64_t> 0x3bdff9013174ff1f, value_3), value_1), value_12), t, rows)
    note(features, 37, combined(combined(combined(<uint64_t> 0xb00439f8adcf0f63, value_3), value_1), value_13), t, rows)
    note(features, 38, combined(combined(combined(<uint64_t> 0x3ef7da1cd0f0a8b0, value_3), value_15), value_1), t, rows)
    note(features, 39, combined(combined(combined(<uint64_t> 0xd7432ef88da16f22, value_3), value_16), value_1), t, rows)
    note(features, 40, combined(combined(<uint64_t> 0x30953499b8709ea7, value_17), value_18), t, rows)
    note(features, 41, combined(combined(<uint64_t> 0xd37adb1722a43706, value_19), value_0), t, rows)
    note(features, 42, combined(combined(<uint64_t> 0x700b678d1dbdcb81, value_19), value_1), t, rows)
    note(features, 43, combined(combined(<uint64_t> 0x48091470c3ef98e0, value_19), value_5), t, rows)
    note(features, 44, combined(combined(<uint64_t> 0xf6e5de38ce8ddea4, value_19), value_6), t, rows)
    note(features, 45, combined(combined(combined(<uint64_t> 0x22309c0d342d145d, value_19), value_0), value_5), t, rows)
    note(features, 46, combined(combined(combined(<uint64_t> 0x20595602a730e070, value_19), value_1), value_6), t, rows)
    note(features, 47, combined(combined(<uint64_t> 0xdc9ddf24856f06af, value_20), value_0), t, rows)
    note(features, 48, combined(combined(<uint64_t> 0xc4b8c48cf720b88f, value_20), value_1), t, rows)
    note(features, 49, combined(combined(<uint64_t> 0x4e20c2d82ddf91cd, value_21), value_0), t, rows)
    note(features, 50, combined(combined(<uint64_t> 0xb63823f9c6e366e3, value_21), value_1), t, rows)
    note(features, 51, combined(combined(<uint64_t> 0x2e6f5be24f4365b, value_22), value_5), t, rows)
    note(features, 52, combined(combined(<uint64_t> 0x716091696bb7f261, value_22), value_6), t, rows)
    note(features, 53, combined(<uint64_t> 0x424c3b0652d40243, value_23), t, rows)
    note(features, 54, combined(<uint64_t> 0x9eee9bbf791e9d57, value_11), t, rows)
    note(features, 55, combined(<uint64_t> 0x139f2d41f56a27ba, value_24), t, rows)
    note(features, 56, combined(combined(<uint64_t> 0x90aa9db4d3446310, value_24), value_1), t, rows)
    note(features, 57, combined(<uint64_t> 0xd4ea21c152ce24cc, value_25), t, rows)
    note(features, 58, combined(<uint64_t> 0x87ae1ac54149ec91, value_26), t, rows)
    note(features, 59, combined(<uint64_t> 0xdd157d377ad5e2ea, value_12), t, rows)
    note(features, 60, combined(<uint64_t> 0xc8d94114bd760d9, value_27), t, rows)
    note(features, 61, combined(<uint64_t> 0xbe5c30171e5c97da, value_28), t, rows)
    note(features, 62, combined(<uint64_t> 0x585338695bcff851, value_13), t, rows)
    note(features, 63, combined(<uint64_t> 0x75f7c95577f5bcc1, value_29), t, rows)
    note(features, 64, combined(<uint64_t> 0x7213f8a0dc6dc006, value_30), t, rows)
    note(features, 65, combined(<uint64_t> 0x43b85819b08f850a, value_14), t, rows)
    note(features, 66, combined(<uint64_t> 0x28393452d6747e07, value_31), t, rows)
    note(features, 67, combined(<uint64_t> 0xea6463ff79e27e1e, value_32), t, rows)
    note(features, 68, combined(<uint64_t> 0xc98292c6791016f3, value_33), t, rows)
    note(features, 69, combined(<uint64_t> 0x54b7203c595b3e72, value_34), t, rows)
    note(features, 70, combined(<uint64_t> 0xd13db9ad163ad287, value_35), t, rows)
    note(features, 71, combined(<uint64_t> 0x9bf98b282c5906c1, value_36), t, rows)
    note(features, 72, combined(<uint64_t> 0xdc1d7c12e999112a, value_37), t, rows)
    note(features, 73, combined(<uint64_t> 0xa908444b644697f5, value_38), t, rows)
    note(features, 74, combined(<uint64_t> 0xcb63f87eefb13d7, value_39), t, rows)
    note(features, 75, combined(<uint64_t> 0xbf4945111e0c4332, value_40), t, rows)
    note(features, 76, combined(<uint64_t> 0xf68d477fc0078fad, value_41), t, rows)
    note(features, 77, combined(<uint64_t> 0x5d6325f40f9b3472, value_42), t, rows)
    note(features, 78, combined(<uint64_t> 0xbac4fffb5ae469b4, value_43), t, rows)
    note(features, 79, combined(combined(combined(<uint64_t> 0x96e9ad8ee85c929b, value_1), value_12), value_36), t, rows)
    note(features, 80, combined(combined(combined(<uint64_t> 0xc441e473a67cbea3, value_1), value_13), value_39), t, rows)
    note(features, 81, combined(combined(combined(<uint64_t> 0x710fa385b9f9c60f, value_1), value_11), value_33), t, rows)
    note(features, 82, combined(combined(combined(<uint64_t> 0xee51e3c3083c5b1e, value_6), value_14), value_42), t, rows)
    note(features, 83, combined(combined(<uint64_t> 0x27c3a902117e7fb0, value_0), value_44), t, rows)
    note(features, 84, combined(combined(<uint64_t> 0x3a8b3dbf252bcda1, value_1), value_44), t, rows)
    note(features, 85, combined(combined(<uint64_t> 0x3990f2981bfc319e, value_0), value_45), t, rows)
    note(features, 86, combined(combined(<uint64_t> 0xda66da1f96b0765b, value_1), value_45), t, rows)
    note(features, 87, combined(combined(<uint64_t> 0x3567188c118ee83d, value_5), value_46), t, rows)
    note(features, 88, combined(combined(<uint64_t> 0xe34156da2fe3374e, value_6), value_46), t, rows)


cdef void look_with_zhang_nivre(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_zhang_nivre(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_zhang_nivre(f, s, columns, features, &table, rows)


cdef Look look_with(uint64_t digest):
    """What finds the features of a code with this digest."""
    if digest == <uint64_t> 0x67a1652e507a96bc:
        return look_with_delexicalized
    if digest == <uint64_t> 0x8cb626680b404ac:
        return look_with_fast
    if digest == <uint64_t> 0x9f33c4fa8f502379:
        return look_with_lr_spines
    if digest == <uint64_t> 0x4cb247d62edee956:
        return look_with_morphological
    if digest == <uint64_t> 0xd206ba2680321b5:
        return look_with_tagged
    if digest == <uint64_t> 0x2e53cd82c7dcc263:
        return look_with_with_feats
    if digest == <uint64_t> 0xb92feae53d21f514:
        return look_with_with_xpos
    if digest == <uint64_t> 0x61125198e6f8d02d:
        return look_with_zhang_nivre
    return interpret_features
