"""The model english for deptrees."""
