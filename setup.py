"""The compiled modules, all of them optional: without a C compiler everything else is installed.

``DEPTREES_CFLAGS`` replaces the options of the C compiler.
"""

import os
import subprocess
import sys
from glob import glob

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# The one that takes longest comes first, for they are compiled side by side.
MODULES = (
    "engine/core/compiled",
    "treebanks/encoded_text",
    "transition/losses/swaps/compiled_search",
    "engine/core/tagging",
    "inference/compiled_sums",
)
CFLAGS = os.environ.get("DEPTREES_CFLAGS", "-O3 -g0").split()


class BuildExtensions(build_ext):
    """Compiles what has changed, where it is built in place, as for an editable installation; otherwise all."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = os.cpu_count()
        if self.inplace:  # by way of a folder that is kept
            self.build_lib = self.build_temp = "build/in-place"

    def run(self) -> None:
        run_module("deptrees.engine.code.unrolled_templates")
        super().run()

    def build_extension(self, ext: Extension) -> None:  # several at a time, so that no compiler waits for all of Cython
        run_module("Cython.Build.Cythonize", "--quiet", *ext.sources)
        ext.sources = [source.replace(".pyx", ".c") for source in ext.sources]
        super().build_extension(ext)


def run_module(*arguments: str) -> None:
    """Run a module in another process, in which the library is the one of this folder."""
    subprocess.run([sys.executable, "-m", *arguments], check=True)


setup(
    cmdclass={"build_ext": BuildExtensions},
    ext_modules=[
        Extension(
            f"deptrees.{module.replace('/', '.')}",
            [f"deptrees/{module}.pyx"],
            depends=glob(f"deptrees/{os.path.dirname(module)}/**/*.h", recursive=True),
            extra_compile_args=CFLAGS,
            optional=True,
        )
        for module in MODULES
    ],
)
