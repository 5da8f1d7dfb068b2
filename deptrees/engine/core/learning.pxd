# What all learning shares.

from libc.stdint cimport int32_t

from deptrees.engine.core.desk cimport Desk
from deptrees.engine.core.scoring cimport Weights

cdef void learn_label(Desk desk, Weights w, const int32_t *e, int row) noexcept nogil
