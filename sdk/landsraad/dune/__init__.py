"""Classic Dune for bots and other clients.

>>> from landsraad.dune import Bot, View, acts, announcements

`Bot` is the base class of bots whose views are of the class `View`. `acts` has the acts, `announcements` what logs
announce, `pieces` the factions, leaders and cards that occur in their fields.
"""

from typing import TYPE_CHECKING

from landsraad.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from landsraad.dune.bot import DuneBot as Bot
    from landsraad_engine.dune import acts, announcements, pieces
    from landsraad_engine.dune.words import DuneSeatView as View

__all__ = ["Bot", "View", "acts", "announcements", "pieces"]

_HOMES = {
    "Bot": "landsraad.dune.bot:DuneBot",
    "View": "landsraad_engine.dune.words:DuneSeatView",
    "acts": "landsraad_engine.dune.acts:",
    "announcements": "landsraad_engine.dune.announcements:",
    "pieces": "landsraad_engine.dune.pieces:",
}
__getattr__, __dir__ = lazy_exports(globals(), _HOMES)
