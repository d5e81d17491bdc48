"""What people write around posts: who wrote them, when somebody came, that they answer another.
And what the addresses of pages about somebody look like."""

from __future__ import annotations

import re

PERSON = re.compile(r"\W*(?:[^\W\d_a-z][\w'’.-]*\W{1,3}){1,3}[^\W\d_a-z][\w'’.-]*\W*")
"""Two to four words with capitals, as names of people are written."""

REPLY = re.compile(r"(?:re|aw|antw|sv|vs|odp|ответ)\s*(?:\[\d+\])?\s*[:：]\s*", re.IGNORECASE)
"""What stands before the title of what is replied to."""

PROFILE = re.compile(
    r"(?:^|[/?&;.])(?:members?|memberlist|users?|userinfo|profiles?|people|accounts?|authors?|u|showuser|mitglied(?:er)?|"
    r"benutzer|profil|membres?|utilisateurs?|usuarios?|miembros?|perfil|utent[ei]|profilo|leden|lid|gebruikers?|"
    r"uzytkowni(?:k|cy)|uzivatel|korisnik|bruger|anvandare|uye|kullanici)(?:\.\w{2,4})?(?:[/?=:.]|$)"
    r"|[?&;](?:action|mode)=(?:view)?profile\b|/[@~]\w"
)
"""In the address of a page about somebody."""

JOINED = re.compile(
    r"join|regist|member|since|seit|dabei|inscri|depuis|desde|miembro|iscritt|lid sinds|do[łl]ącz|зарегистр|edit|modif|"
    r"bearbeitet|changed|last",
    re.IGNORECASE,
)
"""In the label of a date that is not that of the post: when its author came, or when it was changed."""


def leads_to_somebody(address: str) -> bool:
    """Whether an address leads to a page about somebody.

    >>> [leads_to_somebody(address) for address in ("/members/ann.12/", "member.php?u=7", "/@ann", "/thread/7")]
    [True, True, True, False]
    """
    return (
        PROFILE.search(address.partition("#")[0].removeprefix("http://").removeprefix("https://").lower()) is not None
    )
