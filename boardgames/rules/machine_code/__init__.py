"""Machine code of rules, made as a C compiler makes a program: each function is compiled once and kept; what
Python calls is linked from these pieces, optimised and emitted once.

Numba by itself compiles every function anew, together with all that it calls, whenever one of them changes,
and it counts references to every array that a call hands on. Here an edited rule costs one function and one
linking, and rules that allocate nothing count nothing. All of it hangs on classes that Numba means to be
replaced (dispatcher, compiler, context, library), so other users of Numba in this process are not affected.

- `dispatcher`: a compiled function, as other rules and as Python see it. The rest of the program calls
  `compile_all`.
- `compiler`: from the syntax of one function to its own piece of code.
- `libraries`: pieces of code, and how they are linked.
- `pieces`: the same on disk.
- `stored_files`: how both pieces and what is linked from them are written and read.
"""

from boardgames.rules.machine_code.dispatcher import compile_all, compile_with_numba, is_numba_only

__all__ = ["compile_all", "compile_with_numba", "is_numba_only"]
