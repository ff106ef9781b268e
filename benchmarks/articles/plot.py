"""Draws bar plots and line plots as SVG, without dependencies.

    svg = bars("Write", "seconds, less is better", {"10 fields": {"ours": 0.5, "stock": 2.1}})
    svg = lines("Read", "fields", "fields a second", {"ours": [(1, 2e6), (10, 8e6)]})
"""

import html
import math

WIDTH = 860
LEFT, RIGHT, TOP, BOTTOM = 190, 90, 58, 40
OURS, LIMIT, OTHERS = "#1b6ca8", "#d8b365", "#a9b4bd"
LINES = ["#c44e52", "#55a868", "#8172b2", "#937860", "#da8bc3", "#8c8c8c", "#64b5cd"]


def _color(label):
    if label.startswith("ours"):
        return OURS
    return LIMIT if label.startswith(("memcpy", "c-")) else OTHERS


def _text(x, y, anchor, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(text)}</text>'


def _number(value):
    if value >= 1e6:
        return f"{value / 1e6:,.3g} M"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _svg(height, title, unit, parts):
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="#222">'
    )
    titles = [
        '<rect width="100%" height="100%" fill="#fff"/>',
        _text(12, 22, "start", title, 'font-size="15" font-weight="bold"'),
        _text(12, 40, "start", unit, 'fill="#555"'),
    ]
    return "\n".join([head, *titles, *parts, "</svg>"]) + "\n"


def _decades(values):
    """Returns powers of ten that enclose all values, at least two."""
    low = math.floor(math.log10(min(values)))
    return [10.0**power for power in range(low, max(low + 1, math.ceil(math.log10(max(values)))) + 1)]


def _steps(most):
    """Returns round numbers from 0 to at least the largest value."""
    step = 10 ** math.floor(math.log10(most))
    step = next(size for size in (step / 5, step / 2, step, step * 2) if most / size <= 6)
    return [step * i for i in range(math.ceil(most / step) + 1)]


def _scale(ticks, logarithmic, low, high):
    """Returns a function that maps a value to a position between two pixels."""
    place = math.log10 if logarithmic else float
    first, last = place(ticks[0]), place(ticks[-1])
    return lambda value: low + (place(value) - first) / (last - first) * (high - low)


def bars(title, unit, groups, logarithmic=False):
    """Draws horizontal bars: `groups` maps a heading to a dictionary of labels and values above 0."""
    values = [value for group in groups.values() for value in group.values()]
    ticks = _decades(values) if logarithmic else _steps(max(values))
    x = _scale(ticks, logarithmic, LEFT, WIDTH - RIGHT)
    height = TOP + 26 * len(groups) + 17 * len(values) + BOTTOM
    bottom = height - 34
    parts = []
    for tick in ticks:
        parts.append(f'<path d="M{x(tick):.1f} {TOP}V{bottom}" stroke="#ddd"/>')
        parts.append(_text(x(tick), bottom + 16, "middle", _number(tick), 'fill="#555"'))
    y = TOP
    for heading, group in groups.items():
        parts.append(_text(12, y + 16, "start", heading, 'font-weight="bold"'))
        y += 26
        for label, value in group.items():
            width = max(1, x(value) - LEFT)
            parts.append(_text(LEFT - 6, y + 12, "end", label))
            parts.append(
                f'<rect x="{LEFT}" y="{y + 1}" width="{width:.1f}" height="13" fill="{_color(label)}"/>'
            )
            parts.append(_text(LEFT + width + 5, y + 12, "start", _number(value)))
            y += 17
    return _svg(height, title, unit + (", logarithmic axis" if logarithmic else ""), parts)


def lines(title, x_name, unit, curves):
    """Draws lines on two logarithmic axes: `curves` maps a label to a list of points above 0."""
    height = 420
    points = [point for curve in curves.values() for point in curve]
    x_ticks, y_ticks = _decades([p[0] for p in points]), _decades([p[1] for p in points])
    x = _scale(x_ticks, True, 80, WIDTH - 180)
    y = _scale(y_ticks, True, height - 60, TOP)
    parts = []
    for tick in x_ticks:
        parts.append(f'<path d="M{x(tick):.1f} {TOP}V{height - 60}" stroke="#ddd"/>')
        parts.append(_text(x(tick), height - 42, "middle", _number(tick), 'fill="#555"'))
    for tick in y_ticks:
        parts.append(f'<path d="M80 {y(tick):.1f}H{WIDTH - 180}" stroke="#ddd"/>')
        parts.append(_text(74, y(tick) + 4, "end", _number(tick), 'fill="#555"'))
    parts.append(_text((WIDTH - 100) / 2, height - 20, "middle", x_name, 'fill="#555"'))
    others = iter(LINES * len(curves))
    names = []
    for label, curve in curves.items():
        color = OURS if label.startswith("ours") else next(others)
        path = "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in curve)
        parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{color}"/>' for a, b in curve]
        names.append((y(curve[-1][1]), x(curve[-1][0]), label, color))
    free = 0.0
    for at, end, label, color in sorted(names):
        free = max(at, free + 14)  # Names do not cover each other.
        parts.append(_text(end + 10, free + 4, "start", label, f'fill="{color}"'))
    return _svg(height, title, unit + ", both axes logarithmic", parts)
