"""Colours of the pictures, light and dark, as one style sheet of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: class -> (properties in light, properties in dark)
_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "paper": ("fill:#f8f2e4", "fill:#17130f"),
    "ink": ("fill:#2b2117", "fill:#f0e6d3"),
    "faint": ("fill:#6e5d46", "fill:#b7a78b"),
    "rule": ("stroke:#cdbb98", "stroke:#4a3f30"),
    "sand": ("fill:#efdcae", "fill:#5c4b30"),
    "sand-mark": ("fill:#d9bf85", "fill:#76613f"),
    "ripple": ("stroke:#d9bf85", "stroke:#76613f"),
    "deep": ("fill:#f6e9c8", "fill:#6d5a3b"),
    "erg": ("fill:#e6cf92", "fill:#544527"),
    "plateau": ("fill:#cda878", "fill:#493824"),
    "rock": ("fill:#b98f68", "fill:#3a2d22"),
    "hatch": ("stroke:#9c7350", "stroke:#57452f"),
    "stronghold": ("fill:#8d6a4f", "fill:#8d6c4c"),
    "sink": ("fill:#d3e2e2", "fill:#2f4548"),
    "edge": ("stroke:#4d3a26", "stroke:#c2a87c"),
    "fine": ("stroke:#a98b5c", "stroke:#7d6845"),
    "sector": ("stroke:#8a5a2b", "stroke:#b58a4c"),
    "wall": ("stroke:#a32020", "stroke:#ff7a66"),
    "halo": ("stroke:#f8f2e4", "stroke:#17130f"),
    "name": ("fill:#2b2117;stroke:#f4e6c4", "fill:#f5ecda;stroke:#2a2118"),
    "storm": ("fill:#5a4636;fill-opacity:.30", "fill:#000;fill-opacity:.5"),
    "eye": ("fill:#4b3a2c;stroke:#f8f2e4", "fill:#f0e6d3;stroke:#17130f"),
    "eye-line": ("stroke:#f8f2e4", "stroke:#17130f"),
    "spice": ("fill:#bf4f0f;stroke:#fff6e6", "fill:#ff8a3c;stroke:#1d130a"),
    "on-spice": ("fill:#fff", "fill:#1d130a"),
    "worm": ("fill:#6c3f7d;stroke:#fff6e6", "fill:#c79be0;stroke:#1d130a"),
    "worm-line": ("stroke:#fff6e6", "stroke:#1d130a"),
    "back": ("fill:#3b4a4f;stroke:#fff6e6", "fill:#9db4ba;stroke:#1d130a"),
    "on-back": ("fill:#fff", "fill:#111"),
    "machine": ("fill:#2f6f8a;stroke:#fff6e6", "fill:#7cc4e0;stroke:#1d130a"),
    "f-atreides": ("fill:#27703f;stroke:#fff6e6", "fill:#3f9d5c;stroke:#1d130a"),
    "f-bene_gesserit": ("fill:#2f5fa8;stroke:#fff6e6", "fill:#6c9be8;stroke:#1d130a"),
    "f-emperor": ("fill:#a92a24;stroke:#fff6e6", "fill:#e0554c;stroke:#1d130a"),
    "f-fremen": ("fill:#f2c230;stroke:#3a2d12", "fill:#f2c230;stroke:#1d130a"),
    "f-guild": ("fill:#f08a2c;stroke:#3a2412", "fill:#f59a48;stroke:#1d130a"),
    "f-harkonnen": ("fill:#241f1c;stroke:#fff6e6", "fill:#d9d2c7;stroke:#1d130a"),
    "on-light": ("fill:#20170c", "fill:#17120a"),
    "on-dark": ("fill:#fff", "fill:#17120a"),
    "side-harkonnen": ("fill:#a92a24;stroke:#fff6e6", "fill:#f0695c;stroke:#1d130a"),
    "side-atreides": ("fill:#27703f;stroke:#fff6e6", "fill:#5cc07c;stroke:#1d130a"),
    "base-harkonnen": ("fill:#fbe9e2;stroke:#a92a24", "fill:#3a1512;stroke:#f0695c"),
    "base-atreides": ("fill:#e6f3e6;stroke:#27703f", "fill:#12301c;stroke:#5cc07c"),
    "in-harkonnen": ("fill:#8c1f1a", "fill:#ffb3aa"),
    "in-atreides": ("fill:#1c5a31", "fill:#a9e8bd"),
}
#: What does not depend on the theme.
_FIXED: Final = """\
text{font-family:"Noto Sans","DejaVu Sans",Verdana,sans-serif}
.area{stroke-width:.4}
.edge,.fine,.sector,.wall,.hatch,.ripple,.rule,.worm-line,.eye-line{fill:none;stroke-linejoin:round;stroke-linecap:round}
.name{paint-order:stroke;stroke-linejoin:round}
.bold{font-weight:700}
.italic{font-style:italic}
"""


def style(theme: str) -> str:
    """Return the content of the style element for a theme."""
    light = "".join(f".{name}{{{pair[0]}}}\n" for name, pair in _RULES.items())
    dark = "".join(f".{name}{{{pair[1]}}}\n" for name, pair in _RULES.items())
    if theme == "auto":
        return f"{light}{_FIXED}@media (prefers-color-scheme:dark){{\n{dark}}}\n"
    return f"{dark if theme == 'dark' else light}{_FIXED}"
