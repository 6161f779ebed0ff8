"""How the site wears the labs: fences for any Python-Markdown generator, one hook for MkDocs, the theme's overrides."""
