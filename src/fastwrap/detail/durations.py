"""How long something takes, as pages say it: a label and a duration in one line, with nothing between them."""

from __future__ import annotations

import re

LABEL = r"""
    (?:total|prep(?:aration|ping)?|cook(?:ing)?|bak(?:e|ing)|active|inactive|rest(?:ing)?|chill(?:ing)?|additional|
    marinat(?:e|ing)|freez(?:e|ing)|cool(?:ing)?|hands[-\s]on|work(?:ing)?|overall)(?:\stime)?|time|ready\sin|takes|
    (?:gesamt|arbeits|zubereitungs|koch|back|gar|vorbereitungs|ruhe|kühl|warte)-?zeit|zeit|dauer|vorbereitung|
    fertig\sin|gesamt|
    temps(?:\s(?:total|de\s(?:préparation|cuisson|repos)))?|préparation|cuisson|repos|durée|
    tiempo(?:\s(?:total|de\s(?:preparación|cocción|elaboración|reposo)))?|preparación|cocción|listo\sen|
    tempo(?:\s(?:totale?|de\s(?:preparo|preparação|cozimento|forno)|di\s(?:preparazione|cottura|riposo)))?|
    preparo|cozimento|preparazione|cottura|riposo|pronto\sin|
    totale?\stijd|(?:bereidings|kook|voorbereidings|oven|wacht|bak)-?tijd|tijd|klaar\sin|
    czas(?:\s(?:przygotowania|całkowity|gotowania|pieczenia))?|
    (?:tillagnings|tilberednings|arbejds|arbeids|total|förberedelse|koge|bage|stege)-?\s?tid|tid|
    (?:общее\s)?время(?:\s(?:приготовления|подготовки))?|čas|doba\spřípravy|süre
"""
UNIT = r"""
    (?:hours?|hrs?|minutes?|mins?|days?|seconds?|secs?|stunden?|std|minuten|tage?n?|heures?|jours?|horas?|minutos?|
    d[ií]as?|or[ae]|minut[oi]|uur|uren|godz\w*|minut\w*|timmar?|timer?|dagar?|час\w*|мин\w*|h|m)\b\.?
"""
AMOUNT = r"(?:\d{1,3}\s?[-–]\s?)?\d{1,4}(?:[.,/]\d{1,2})?\s?[½¼¾]?"
DURATION = rf"""
    (?:(?:ca\.?|about|approx\.?|under|env\.?|circa)\s)?{AMOUNT}\s?{UNIT}(?:(?:,|\sand|\sund|\set|\sy|\se)?\s?\d{{1,3}}\s?
    {UNIT})?
"""
DURATION_TEXT = re.compile(rf"\W*{DURATION}\W*", re.IGNORECASE | re.VERBOSE)
TIME = re.compile(rf"\W*\b({LABEL})\s*[:：]?\s*({DURATION})\W*", re.IGNORECASE | re.VERBOSE)
TIME_LINE = re.compile(rf"(?:\W*\b(?:{LABEL})\s*[:：]?\s*{DURATION}\W*){{1,4}}", re.IGNORECASE | re.VERBOSE)
"""A line of such parts, and nothing else."""
LABEL_BEHIND = re.compile(
    rf"\W*({DURATION})\s*((?:total|prep|cook|active|bak(?:e|ing))(?:\stime)?|(?:gesamt|arbeits|koch|back)zeit)\W*",
    re.IGNORECASE | re.VERBOSE,
)
LONGEST = 120
"""Characters of a line that says how long something takes."""


def timed(text: str) -> list[tuple[str, str]]:
    """The labels and durations that a line is made of; none if it says something else, too.

    >>> timed("Prep Time 10 mins | Total Time 1 hr 5 mins"), timed("45 min total time"), timed("Cook for 5 minutes.")
    ([('Prep Time', '10 mins'), ('Total Time', '1 hr 5 mins')], [('total time', '45 min')], [])
    """
    if len(text) > LONGEST:
        return []
    if TIME_LINE.fullmatch(text):
        return [(match[1], match[2].strip()) for match in TIME.finditer(text)]
    behind = LABEL_BEHIND.fullmatch(text)
    return [(behind[2], behind[1].strip())] if behind else []
