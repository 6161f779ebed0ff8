"""Drawing: numbers in, SVG and HTML text out. Knows no model and no lab."""
