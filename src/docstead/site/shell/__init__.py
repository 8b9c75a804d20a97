"""The page shell: everything around a rendered page, and the files that belong to a site.

A shell is made once for a site and a mode of serving it; `Shell.page` is then pure and
cheap, because what pages share was drawn before.
"""

from docstead.site.shell.document import Shell
from docstead.site.shell.mode import ShellMode

__all__ = ["Shell", "ShellMode"]
