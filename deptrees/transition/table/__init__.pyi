from deptrees.transition.table.language import *
