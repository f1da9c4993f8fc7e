# SPDX-License-Identifier: Apache-2.0
"""Load the extension with threads that sleep while they wait.

GCC's OpenMP library reads its policy from the environment once, when it is loaded. The variable is
set for that moment only, and not at all where the user has set it.
"""

import os

_NAME = "OMP_WAIT_POLICY"

if _NAME in os.environ:
    from . import _core
else:
    os.environ[_NAME] = "passive"
    try:
        from . import _core
    finally:
        del os.environ[_NAME]

__all__ = ["_core"]
