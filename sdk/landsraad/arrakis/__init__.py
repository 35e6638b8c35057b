"""Dune: War for Arrakis for bots and other clients.

>>> from landsraad.arrakis import Bot, View, acts, announcements

`Bot` is the base class of bots whose views are of the class `View`. `acts` has the acts, `announcements` what logs
announce, `terms` the words that occur in their fields.
"""

from typing import TYPE_CHECKING

from landsraad.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from landsraad.arrakis.bot import ArrakisBot as Bot
    from landsraad_engine.arrakis import acts, announcements, terms
    from landsraad_engine.arrakis.words import ArrakisSeatView as View

__all__ = ["Bot", "View", "acts", "announcements", "terms"]

_HOMES = {
    "Bot": "landsraad.arrakis.bot:ArrakisBot",
    "View": "landsraad_engine.arrakis.words:ArrakisSeatView",
    "acts": "landsraad_engine.arrakis.acts:",
    "announcements": "landsraad_engine.arrakis.announcements:",
    "terms": "landsraad_engine.arrakis.terms:",
}
__getattr__, __dir__ = lazy_exports(globals(), _HOMES)
