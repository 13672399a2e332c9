"""Where each import of a tree's Python files leads, by Python's own parser and the rules of its import system.

Gives JSON: per file the alternatives of which one must be an edge, and what further edges are right (packages that
are run on the way). Nothing of the tree is run.
"""
import ast
import json
import os
import sys

root = sys.argv[1]
files = set()
for folder, folders, names in os.walk(root):
    folders[:] = [f for f in folders if f != ".git" and not os.path.islink(os.path.join(folder, f))]
    for name in names:
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            files.add(os.path.relpath(path, root).replace(os.sep, "/"))


def join(*parts):
    return "/".join(part for part in parts if part)


def module_file(path):
    """A package before a module, as importlib's FileFinder looks for them; then compiled and stub files."""
    for end in ("/__init__.py", "/__init__.pyi", ".py", ".pyx", ".pyi"):
        if path + end in files:
            return path + end
    return None


def places(path):
    """sys.path for a file: its nearest folder that is no package (as pytest and scripts have it), then usual roots."""
    folder = os.path.dirname(path)
    while folder and folder + "/__init__.py" in files:
        folder = os.path.dirname(folder)
    return list(dict.fromkeys([folder, "", "src", "lib"]))


def absolute(path, module):
    for place in places(path):
        found = module_file(join(place, module.replace(".", "/")))
        if found:
            return found
    return None


bound = {}


def binds(init, name):
    """Whether a package's own file gives the name a meaning of its own."""
    if init not in bound:
        names = set()
        try:
            tree = ast.parse(open(os.path.join(root, init), "rb").read())
        except Exception:
            tree = ast.Module([], [])
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
        bound[init] = names
    return name in bound[init] or "*" in bound[init]


def edges(path, tree):
    must, allowed, open_ = [], set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                chain = [absolute(path, ".".join(parts[: n + 1])) for n in range(len(parts))]
                allowed.update(found for found in chain if found)
                if chain[-1]:
                    must.append([chain[-1]])
                elif not chain[0]:
                    open_.add(parts[0])
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                folder = path.split("/")[:-1]
                if node.level - 1 > len(folder):
                    continue
                base = "/".join(folder[: len(folder) - node.level + 1])
                at = join(base, (node.module or "").replace(".", "/"))
                resolve = lambda name, at=at: module_file(join(at, name) if name else at) if at or name else None
                if not at:
                    resolve = lambda name: module_file(name) if name else ("__init__.py" if "__init__.py" in files else None)
            else:
                resolve = lambda name, module=node.module: absolute(path, module + ("." + name if name else ""))
            own = resolve("")
            if own:
                allowed.add(own)
            elif not node.level:
                open_.add(node.module.split(".")[0])
            for alias in node.names:
                is_package = own is None or os.path.basename(own).startswith("__init__")
                sub = resolve(alias.name) if alias.name != "*" and is_package else None
                if sub and own and binds(own, alias.name):
                    must.append([sub, own])
                elif sub or own:
                    must.append([sub or own])
    return must, allowed, len(open_ - sys.stdlib_module_names)


result = {}
for path in sorted(files):
    if not path.endswith((".py", ".pyi")):
        continue
    try:
        tree = ast.parse(open(os.path.join(root, path), "rb").read())
    except Exception:
        continue
    must, allowed, unknown = edges(path, tree)
    result[path] = {"must": must, "allowed": sorted(allowed), "open": unknown}
json.dump(result, sys.stdout)
