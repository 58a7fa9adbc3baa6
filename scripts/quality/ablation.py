"""Switches off single rules of names, blanks and first sentences, so that the sets can tell what each rule is worth.

A rule is a word list, a pattern or a table of a module, which is emptied, or a function that tests or refuses something, which
then tests nothing: it returns False, an empty string or None. Models are read once: their answers are kept in memory, and
the rules that mend them run anew.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

PACKAGES = ("wdw_build.text.names", "wdw_build.text.blanking", "wdw_build.text.sentences")
_NEVER = re.compile(r"(?!)")
_OFF = {"bool": False, "str": "", "None": None}


def rules() -> list[str]:
    """The names of all rules, as ``module:name`` or ``module:class.name`` below ``wdw_build.text``."""
    modules = [
        importlib.import_module(info.name)
        for package in PACKAGES
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")
    ]
    return [f"{module.__name__.removeprefix('wdw_build.text.')}:{name}" for module in modules for name in _of(module)]


def _of(module: ModuleType) -> Iterator[str]:
    """Yield the names of a module's own rules, not of those that it imports."""
    own = set(re.findall(r"^(?:def |class )?(\w+)", inspect.getsource(module), re.MULTILINE))
    for name, value in vars(module).items():
        if name in own and inspect.isclass(value):
            # A named tuple has tuples and functions of its own.
            members = {key: one for key, one in vars(value).items() if not key.startswith(("__", "_field"))}
            yield from (f"{name}.{key}" for key, one in members.items() if _off(one) is not None)
        elif name in own and _off(value) is not None:
            yield name


def _off(value: Any) -> Any:
    """What a rule is replaced by; None for what is no rule."""
    if isinstance(value, re.Pattern):
        return _NEVER
    if isinstance(value, frozenset | tuple | dict):
        return type(value)() if value else None
    if inspect.isfunction(inspect.unwrap(value)) and not inspect.isclass(value):
        returns = str(inspect.unwrap(value).__annotations__.get("return", ""))
        kind = "None" if returns.endswith("| None") else returns
        return _constant(_OFF[kind]) if kind in _OFF else None
    return None


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


@contextmanager
def without(rule: str) -> Iterator[None]:
    """Switch off a rule, in all modules that imported it."""
    path, _, name = rule.partition(":")
    module = importlib.import_module(f"wdw_build.text.{path}")
    owner, _, member = name.rpartition(".")
    old = vars(getattr(module, owner))[member] if owner else vars(module)[member]
    new = _off(old)
    places: list[tuple[Any, str]] = [(getattr(module, owner), member)] if owner else []
    if not owner:
        loaded = [one for key, one in sys.modules.items() if key.startswith("wdw_build.")]
        places = [(one, key) for one in loaded for key, value in list(vars(one).items()) if value is old]
    _set(places, new)
    try:
        yield
    finally:
        _set(places, old)


def _set(places: list[tuple[Any, str]], value: Any) -> None:
    for place, key in places:
        setattr(place, key, value)
    # What was computed with the other value must not be remembered.
    for name, module in list(sys.modules.items()):
        if name.startswith("wdw_build.text."):
            for one in vars(module).values():
                if hasattr(one, "cache_clear"):
                    one.cache_clear()


class Remembered:
    """Answers of a model, each computed once; ``names`` are the methods that read a list of inputs."""

    def __init__(self, model: Any, names: tuple[str, ...]) -> None:
        self._model = model
        for name in names:
            setattr(self, name, functools.partial(self._answers, getattr(model, name), {}))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    @staticmethod
    def _answers(method: Callable[[list[Any]], list[Any]], known: dict[Any, Any], inputs: list[Any]) -> list[Any]:
        keys = [tuple(one) if isinstance(one, list) else one for one in inputs]
        new = {key: one for key, one in zip(keys, inputs, strict=True) if key not in known}
        known.update(zip(new, method(list(new.values())), strict=True) if new else ())
        return [known[key] for key in keys]


def remember(annotator: Any) -> None:
    """Let an annotator keep what its models answer."""
    load = functools.cache(annotator._load)
    annotator._load = functools.cache(lambda device: Remembered(load(device), ("tokenize", "name_spans", "trees")))
    if annotator._second:
        annotator._second = Remembered(annotator._second, ("opinions", "starts"))
