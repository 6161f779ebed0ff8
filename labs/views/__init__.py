"""One module a lab. Each exports `GROUPS` (its controls), `PRESETS`, and `answer(values, say) -> Answer`."""
