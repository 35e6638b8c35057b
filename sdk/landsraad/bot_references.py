"""Bots by the place of their code: `file.py:Class` and `module:Class`."""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module, invalidate_caches
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from landsraad.bot_traceback import bot_traceback
from landsraad.errors import BotNotImported, NotABot, UnknownBot
from landsraad_engine.play.bot import Bot

_SUFFIX: Final = ".py"


def is_reference(name: str) -> bool:
    """Return True if a bot is named by the place of its code."""
    return ":" in name or name.endswith(_SUFFIX)


def load_reference(reference: str) -> type[Bot]:
    """Import the class that a reference names.

    Each process imports a file once, under a name that depends on its path only. So instances and errors of its classes
    can travel between the processes of a pool. As when you start a script, the folder of the file is where its own
    imports are looked for; a file in a package is imported as a module of that package.

    Args:
        reference: `file.py:Class` or `module:Class`. Modules are looked for in the working directory, too.

    Returns:
        The class.

    Raises:
        UnknownBot: There is no such file, module or class.
        NotABot: The class is not a subclass of `Bot`.
        BotNotImported: The code raises an error when it is imported.
    """
    place, _, attribute = reference.rpartition(":")
    if not place or not attribute.isidentifier():
        place, attribute = reference.rstrip(":"), ""
    if not attribute:
        example = f"{place}:{_bots_in(place)}"
        raise UnknownBot(f"{reference!r} names no class; name a file or module and a class, such as {example}")
    module = _load(place)
    found = getattr(module, attribute, None)
    if found is None:
        there_is = ", ".join(_bot_names(module)) or "none"
        raise UnknownBot(f"{place} has no class {attribute!r}; its bots are: {there_is}")
    if not (isinstance(found, type) and issubclass(found, Bot)):
        kind = "another class" if isinstance(found, type) else f"of the type {type(found).__name__}"
        raise NotABot(f"{reference} is not a bot: it is {kind}, no subclass of landsraad.Bot")
    if found.decide is Bot.decide:
        raise NotABot(f"{reference} is not a bot that can play: it has no method `decide`")
    return found


def _load(place: str) -> ModuleType:
    """Import a file or a module."""
    if not place.endswith(_SUFFIX):
        _search_in(Path.cwd())
        return _imported(place, place)
    file = Path(place).expanduser().resolve()
    if not file.is_file():
        raise UnknownBot(f"there is no file {place}")
    if (file.parent / "__init__.py").is_file():
        return _load_from_package(place, file)
    _search_in(file.parent)
    name = f"landsraad_bot_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    return sys.modules[name] if name in sys.modules else _executed(place, name, file)


def _load_from_package(place: str, file: Path) -> ModuleType:
    """Import a file as a module of its package, so that its relative imports work."""
    parts = [file.stem] if file.stem != "__init__" else []
    folder = file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    _search_in(folder)
    name = ".".join(parts)
    module = _imported(name, place)
    if module.__file__ is None or Path(module.__file__).resolve() != file:
        raise UnknownBot(f"{place} cannot be imported: another module {name!r} is at {module.__file__}")
    return module


def _imported(name: str, place: str) -> ModuleType:
    """Import a module by its name."""
    try:
        if find_spec(name) is None:
            raise UnknownBot(f"there is no module {place!r} here; a file ends in {_SUFFIX}: {place}{_SUFFIX}:Class")
        return import_module(name)
    except UnknownBot:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise UnknownBot(f"there is no module {place!r} here") from None
        raise _not_imported(place, error) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  the bot's own code may raise anything
        raise _not_imported(place, error) from None


def _executed(place: str, name: str, file: Path) -> ModuleType:
    """Import a file that belongs to no package."""
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # before its code runs: dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  the bot's own code may raise anything
        del sys.modules[name]
        raise _not_imported(place, error) from None
    return module


def _not_imported(place: str, error: BaseException) -> BotNotImported:
    return BotNotImported(f"{place} cannot be imported:\n{bot_traceback(error)}")


def _search_in(folder: Path) -> None:
    """Let imports find the modules of a folder, as they find those beside a script."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    invalidate_caches()  # the file may be a moment old


def _bots_in(place: str) -> str:
    """Return the name of a bot of a file or module for an example, without raising anything."""
    try:
        return next(iter(_bot_names(_load(place))), "Mine")
    except UnknownBot:
        return "Mine"


def _bot_names(module: ModuleType) -> list[str]:
    return [
        name
        for name, found in vars(module).items()
        if isinstance(found, type) and issubclass(found, Bot) and found.__module__ == module.__name__
    ]
