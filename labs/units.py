"""Numbers enter and leave in the units people use; inside, everything is in bytes, seconds, flop and bytes/s.

Throughout: GB = 10⁹ B (volumes, parameters × bytes); GiB = 2³⁰ B (device capacity). Text puts a no-break space
between a number and its unit, so that a line never ends between them.
"""

import re
from math import floor, isfinite, log10

KB, MB, GB, TB = 1e3, 1e6, 1e9, 1e12
KIB, MIB, GIB, TIB = 2.0**10, 2.0**20, 2.0**30, 2.0**40
US, MS = 1e-6, 1e-3
TFLOP = 1e12
SPACE = "\u00a0"

SUFFIXES = {"万亿": 1e12, "亿": 1e8, "万": 1e4, "T": 1e12, "B": 1e9, "G": 1e9, "M": 1e6, "K": 1e3, "k": 1e3}
SUFFIXES |= {"Ti": TIB, "Gi": GIB, "Mi": MIB, "Ki": KIB}
GROUPED = re.compile(r"^[+-]?(?![0０])\d{1,3}(?P<mark>[,， ])\d{3}(?:(?P=mark)\d{3})*(?!\d)")


def parse(text: str) -> float:
    """`7e9`, `7B`, `70亿`, `1,000`, `4Ki` → a finite float. ValueError: anything else, NaN and infinity included.

    Commas and spaces group digits by three and do nothing else: half may be written `0,5` elsewhere, and is not 5.

    >>> parse("70亿") == parse("7B") == 7e9
    True
    """
    bare = GROUPED.sub(lambda found: found[0].replace(found["mark"], ""), text.strip())
    for suffix, factor in sorted(SUFFIXES.items(), key=lambda pair: -len(pair[0])):
        if bare.endswith(suffix) and bare != suffix:
            return finite(float(bare[: -len(suffix)]) * factor)
    return finite(float(bare))


def finite(value: float) -> float:
    if not isfinite(value):
        raise ValueError(f"{value} is not finite")
    return value


def plain(value: float) -> str:
    """The text a form holds: exact, short, and read back by `parse`: 8 → 8, 7e9 → 7e9, 0.95 → 0.95."""
    whole = int(value) if value == int(value) else None
    if whole is None or abs(value) >= 1e16:
        return repr(float(value))
    for exponent in (15, 12, 9, 6):
        mantissa = value / 10**exponent
        if abs(mantissa) >= 1 and len(f"{mantissa:g}") <= 5 and float(f"{mantissa:g}") * 10**exponent == value:
            return f"{mantissa:g}e{exponent}"
    return str(whole)


def number(value: float, digits: int = 4) -> str:
    """Up to `digits` significant digits, no trailing zeros, thousands grouped from 10,000 on.

    >>> number(26.25), number(1120), number(155.3125), number(32768)
    ('26.25', '1120', '155.3', '32,768')
    """
    if value == 0:
        return "0"
    exponent = floor(log10(abs(value)))
    if not -5 <= exponent < 15:
        return f"{value:.{digits - 1}e}".replace("e+", "e")
    group, decimals = "," if exponent >= 4 else "", max(0, digits - 1 - exponent)
    text = f"{value:{group}.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(value: float) -> str:
    """A count, whole digits grouped."""
    return f"{value:,.0f}"


SCALES = {"B": 1.0, "kB": KB, "MB": MB, "GB": GB, "TB": TB, "KiB": KIB, "MiB": MIB, "GiB": GIB, "TiB": TIB}


def bytes_text(value: float, unit: str = "GB", digits: int = 4) -> str:
    """A volume in the named unit; `auto` picks the largest decimal unit of at least 1."""
    if unit == "auto":
        unit = next((u for u in ("TB", "GB", "MB", "kB") if abs(value) >= SCALES[u]), "B")
    return number(value / SCALES[unit], digits) + SPACE + unit


def both_bytes(value: float, digits: int = 4) -> str:
    """`112 GB (104.3 GiB)`: for anything that meets a device's capacity."""
    return f"{bytes_text(value, 'GB', digits)} ({bytes_text(value, 'GiB', digits)})"


def volume(value: float) -> str:
    """Bytes as `both_bytes` from 10 MB on, where a capacity may be near; less in the unit that suits."""
    return both_bytes(value) if abs(value) >= GB / 100 else bytes_text(value, "auto")


FLOPS = (("ZFLOP", 1e21), ("EFLOP", 1e18), ("PFLOP", 1e15), ("TFLOP", 1e12), ("GFLOP", 1e9), ("FLOP", 1.0))


def bandwidth_text(value: float, digits: int = 4) -> str:
    """Bytes a second in one direction: `450 GB/s`."""
    return number(value / GB, digits) + SPACE + "GB/s"


def flop_text(value: float, digits: int = 4) -> str:
    """Floating-point operations in the largest unit of at least 1: `4.398 TFLOP`."""
    unit, scale = next((pair for pair in FLOPS if abs(value) >= pair[1]), FLOPS[-1])
    return number(value / scale, digits) + SPACE + unit


def times_text(value: float, digits: int = 4) -> str:
    """A multiple: `1.6×`."""
    return number(value, digits) + "×"


DURATIONS = (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))


def seconds_text(value: float, digits: int = 4) -> str:
    """A duration in the largest unit of at least 1; minutes only from 2 min, hours from 2 h, days from 2 d."""
    for unit, scale in DURATIONS:
        if abs(value) >= scale * (2 if scale > 1 else 1):
            return number(value / scale, digits) + SPACE + unit
    return number(value, digits) + SPACE + "s"


def percent(value: float, digits: int = 3) -> str:
    return number(100 * value, digits) + SPACE + "%"
