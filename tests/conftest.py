"""What every test shares."""

from hypothesis import settings

# A busy machine makes a property slow, not wrong: speed has tests of its own.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
