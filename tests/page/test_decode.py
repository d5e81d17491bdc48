"""Tests of fastwrap.page.decode: every encoding, every way of naming it, wrong names,
and bytes that are nothing at all."""

import codecs
import random
from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fastwrap.errors import FastwrapError
from fastwrap.page.decode import Decoded, Source, decode
from tests.helpers.hangs import ends_soon

# name of the encoding, the Python codec that writes it, what is written in it
LANGUAGES = [
    ("utf-8", "utf-8", "Ciudad de México — Αθήνα, Москва, 東京, 서울 🏯"),
    ("windows-1252", "cp1252", "Le café est à côté de l’hôtel, 12 € l’après-midi, “déjà vu”, señor Muñoz"),
    ("windows-1250", "cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, cena šedesát korun včetně daně"),
    ("iso-8859-2", "iso8859-2", "Ceny zawierają podatek, źródło świeżych wiadomości, Łódź i Gdańsk, różne książki"),
    ("windows-1251", "cp1251", "Столица России — Москва, цены указаны с учётом налога"),
    ("koi8-u", "koi8-u", "Столица России Москва, цены указаны с учетом налога"),
    ("windows-1253", "cp1253", "Η πρωτεύουσα της Ελλάδας είναι η Αθήνα και οι τιμές περιλαμβάνουν τον φόρο"),
    ("windows-1254", "cp1254", "Türkiye'nin başkenti Ankara'dır, fiyatlara vergi dahildir, müşteri değişikliği"),
    ("windows-1255", "cp1255", "בירת ישראל היא ירושלים והמחירים כוללים מס"),
    ("windows-1256", "cp1256", "عاصمة مصر هي القاهرة والأسعار تشمل الضريبة"),
    ("windows-874", "cp874", "ประเทศไทยมีความสวยงาม ราคาสินค้าทั้งหมดรวมภาษีแล้ว"),
    ("gb18030", "gb18030", "中华人民共和国的首都是北京。商品价格均含增值税，详情请联系客户服务中心"),
    ("big5", "big5hkscs", "臺灣的首都是臺北市。商品價格均含營業稅，詳情請洽客戶服務中心"),
    ("shift_jis", "cp932", "日本の首都は東京です。商品の価格には消費税が含まれています①㈱"),
    ("euc-jp", "euc_jis_2004", "日本の首都は東京です。商品の価格には消費税が含まれています①㈱"),
    ("euc-kr", "cp949", "대한민국의 수도는 서울이며 상품 가격은 부가가치세를 포함합니다"),
]
BY_NAME = {name: (codec, text) for name, codec, text in LANGUAGES} | {"iso-2022-jp": ("iso2022_jp", "東京です")}
LEGACY = [row for row in LANGUAGES if row[0] != "utf-8"]
MULTIBYTE = [row for row in LEGACY if row[0] in ("gb18030", "big5", "shift_jis", "euc-jp", "euc-kr")]

# The labels of the Encoding Standard, and the name of what each is decoded as here
LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "utf-16be": "unicodefffe utf-16be",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "ibm866": "866 cp866 csibm866 ibm866",
    "iso-8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso-8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso-8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso-8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5:1988",
    "iso-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 "
    "iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
    "iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "macintosh": "csmacintosh mac macintosh x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1250": "cp1250 windows-1250 x-cp1250",
    "windows-1251": "cp1251 windows-1251 x-cp1251",
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
    "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 x-user-defined",
    "windows-1253": "cp1253 windows-1253 x-cp1253",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 "
    "l5 latin5 windows-1254 x-cp1254",
    "windows-1255": "cp1255 windows-1255 x-cp1255",
    "windows-1256": "cp1256 windows-1256 x-cp1256",
    "windows-1257": "cp1257 windows-1257 x-cp1257",
    "windows-1258": "cp1258 windows-1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030",
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc-kr": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
    "windows-949",
}
NAMES = sorted(LABELS)
SINGLE_BYTE = [name for name in NAMES if name[:4] in ("iso-", "koi8", "wind", "maci", "x-ma", "ibm8")]
SINGLE_BYTE.remove("iso-2022-jp")
# Python knows these, the web does not: codecs of bytes, of Python source, of mainframes
PYTHON_ONLY = ["rot13", "hex", "zlib", "unicode_escape", "idna", "undefined", "utf-7", "utf-32", "cp037"]
# the standard decodes these to one U+FFFD
REPLACED = ["iso-2022-kr", "iso-2022-cn", "iso-2022-cn-ext", "hz-gb-2312", "replacement", "csiso2022kr"]
NONSENSE = ["bogus", "x-", "-", "_" * 999, "é", "utf–8", "a\0b", "\ud800"]
UNKNOWN = PYTHON_ONLY + REPLACED + NONSENSE


def page_of(text: str, head: str = "") -> str:
    items = "".join(f'<li class="item"><a href="/item/{n}">{text}</a> <b>{n}.99</b></li>' for n in range(20))
    return f"<!DOCTYPE html><html><head>{head}<title>{text}</title></head><body><ul>{items}</ul></body></html>"


def check(decoded: Decoded) -> str:
    """Check what holds for every page, and return its text."""
    assert decoded.encoding in LABELS
    assert decoded.source in get_args(Source)
    return decoded.html.decode()


@pytest.mark.parametrize(("name", "codec", "text"), LANGUAGES)
@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="{}">',
        "<META CHARSET={}>",
        "<meta http-equiv='Content-Type' content='text/html; charset={}'>",
        '<meta content="text/html;charset={}" http-equiv=content-type />',
        "<!-- <meta charset=koi8-r> --><meta charset={}>",
        "<meta charset=bogus><meta name=charset content=bogus><meta charset={}>",
        "<style>" + "p {{ color: black }}\n" * 100 + "</style><meta charset={}>",  # browsers: not in the prescan
    ],
)
def test_declared(name: str, codec: str, text: str, head: str) -> None:
    page = page_of(text, head.format(name))
    decoded = decode(page.encode(codec))
    assert check(decoded) == page
    assert decoded[1:] == (name, "valid" if name == "utf-8" else "meta")
    assert decode(page.encode(codec), "text/html; charset=bogus") == decoded


@pytest.mark.parametrize(("name", "codec", "text"), LEGACY)
def test_xml_declaration(name: str, codec: str, text: str) -> None:
    page = f'<?xml version="1.0" encoding="{name.upper()}"?>' + page_of(text)
    decoded = decode(page.encode(codec))
    assert check(decoded) == page
    assert decoded[1:] == (name, "meta")


@pytest.mark.parametrize(("name", "codec", "text"), LANGUAGES)
@pytest.mark.parametrize(
    "form",
    ["{}", " {}\n", "text/html; charset={}", 'text/html;CHARSET="{}"', "charset={}", "text/html; a=b; charset={}"],
)
def test_given(name: str, codec: str, text: str, form: str) -> None:
    page = page_of(text, "<meta charset=ibm866>")  # the header outweighs the meta
    decoded = decode(page.encode(codec), form.format(name))
    assert check(decoded) == page
    assert decoded[1:] == (name, "given")


@pytest.mark.parametrize(("name", "codec", "text"), LANGUAGES)
@pytest.mark.parametrize("header", [None, "", "text/html", "text/html; charset=bogus", "text/html; charset="])
def test_undeclared(name: str, codec: str, text: str, header: str | None) -> None:
    page = page_of(text)
    decoded = decode(page.encode(codec), header)
    assert check(decoded) == page
    assert decoded[1:] == (name, "valid" if name == "utf-8" else "detected")


@pytest.mark.parametrize(("name", "codec", "text"), LEGACY)
def test_declared_too_late_is_detected(name: str, codec: str, text: str) -> None:
    page = page_of(text, "<!--" + "x" * 4096 + "--><meta charset=ibm866>")
    decoded = decode(page.encode(codec))
    assert check(decoded) == page
    assert decoded[1:] == (name, "detected")


@pytest.mark.parametrize(("name", "codec", "text"), LEGACY)
@pytest.mark.parametrize("label", [label for label in UNKNOWN if label.isascii() and "\0" not in label])
def test_unknown_declaration_is_ignored(name: str, codec: str, text: str, label: str) -> None:
    page = page_of(text, f"<meta charset='{label}'>")
    assert check(decode(page.encode(codec))) == page
    page = page_of(text, f"<meta charset='{label}'><meta charset={name}>")
    assert decode(page.encode(codec))[1:] == (name, "meta")


@pytest.mark.parametrize("label", UNKNOWN)
def test_unknown_label_from_the_caller(label: str) -> None:
    with pytest.raises(FastwrapError, match="no encoding of the web"):
        decode(b"<p>", label)
    assert decode(b"<p>\xe9", f"text/html; charset={label}").source == "detected"


@pytest.mark.parametrize(("name", "label"), [(name, label) for name in NAMES for label in LABELS[name].split()])
def test_every_label(name: str, label: str) -> None:
    for given_encoding in (label, label.upper(), f"text/html; charset={label}", f"TEXT/HTML;CHARSET={label.upper()}"):
        assert decode(b"", given_encoding)[1:] == (name, "given")
    if not name.startswith("utf"):
        codec, text = BY_NAME.get(name, ("latin1", "áéí"))
        for meta in (f"<meta charset={label}>", f"<META CHARSET='{label.upper()}'>"):
            assert decode(f"{meta}<p>{text}</p>".encode(codec))[1:] == (name, "meta")


@pytest.mark.parametrize(
    ("label", "name"),
    [("cp932", "shift_jis"), ("cp936", "gb18030"), ("uhc", "euc-kr"), ("cp950", "big5"), ("euc_jp", "euc-jp")],
)
def test_names_of_python(label: str, name: str) -> None:
    assert decode(b"", label)[1:] == (name, "given")


@given(st.text(max_size=20))
def test_any_label_is_known_or_an_error(label: str) -> None:
    try:
        check(decode(b"<p>\xe9\xff", label))
    except FastwrapError:
        assert not any(mark in label for mark in "/;=")


@pytest.mark.parametrize("name", NAMES)
def test_ascii_is_not_copied(name: str) -> None:
    page = bytes(range(0x1B)) + bytes(range(0x1C, 0x80))
    assert decode(page).html is page
    decoded = decode(page, name)
    assert decoded[1:] == (name, "given")
    if not name.startswith("utf-16"):
        assert decoded.html == page
    if not name.startswith(("utf-16", "iso-2022")):
        assert decoded.html is page


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff")))
def test_valid_utf8_is_not_copied(text: str) -> None:
    page = text.encode()
    assert decode(page)[0] is page
    assert decode(page)[1:] == ("utf-8", "valid")
    assert decode(page, "utf-8")[0] is page
    assert decode(bytearray(page)).html == decode(memoryview(page)).html == page
    assert decode(memoryview(page[::-1])[::-1]).html == page


@pytest.mark.parametrize("shift", range(4))
def test_large_utf8_is_not_copied(shift: int) -> None:
    """Validation in pieces cuts a character wherever it is."""
    page = b"a" * shift + "東京🏯".encode() * 50_000
    assert decode(page)[0] is page
    assert decode(page)[1:] == ("utf-8", "valid")


@given(st.text(st.characters(exclude_categories=())))
@example("\ufeff<p>")
@example("한\udfff국\ud800\udc00\ud7ff")  # Hangul has the first byte of surrogates
def test_text(text: str) -> None:
    decoded = decode(text, "text/html; charset=koi8-r")
    expected = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    assert check(decoded) == expected.removeprefix("\ufeff")
    assert decoded[1:] == ("utf-8", "str")


@pytest.mark.parametrize("page", [None, 1, ["<p>"], object()])
def test_wrong_type(page: object) -> None:
    with pytest.raises(TypeError, match="a page is bytes"):
        decode(page)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="an encoding is a str"):
        decode(b"<p>", page if page is not None else b"utf-8")  # type: ignore[arg-type]


BYTE_ORDER_MARKS = [
    ("utf-8", "utf-8", codecs.BOM_UTF8),
    ("utf-16le", "utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16be", "utf-16-be", codecs.BOM_UTF16_BE),
]


@pytest.mark.parametrize(("name", "codec", "mark"), BYTE_ORDER_MARKS)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\ufeff")),
    st.sampled_from([None, *NAMES, "text/html; charset=big5"]),
)
def test_byte_order_mark_outweighs_everything(
    name: str, codec: str, mark: bytes, text: str, encoding: str | None
) -> None:
    page = page_of(text, "<meta charset=koi8-r>")
    decoded = decode(mark + page.encode(codec), encoding)
    assert check(decoded) == page
    assert decoded[1:] == (name, "bom")


@pytest.mark.parametrize(("name", "codec", "mark"), BYTE_ORDER_MARKS[1:])
@pytest.mark.parametrize("text", [row[2] for row in LANGUAGES] + ["ASCII", ""])
@pytest.mark.parametrize("markup", ["<p>{}</p>", "<!-- {} -->", "\r\n <html><title>{}"])
def test_utf16_without_mark(name: str, codec: str, mark: bytes, text: str, markup: str) -> None:
    page = page_of(text, markup.format(text))
    decoded = decode(page.encode(codec))
    assert check(decoded) == page
    assert decoded[1:] == (name, "detected")
    assert decode(page.encode(codec), name)[1:] == (name, "given")


@pytest.mark.parametrize(
    "page",
    [b"\0", b"abc\0", b"\0" * 99, b"<p>a\0b</p>", b"<p>a<\0b</p>" + b"text" * 20, b"\0\0<p>\0\0", b"\0\0\0<" * 50],
)
def test_nul_bytes_alone_are_not_utf16(page: bytes) -> None:
    assert decode(page) == (page, "utf-8", "valid")


@pytest.mark.parametrize("label", ["utf-16", "utf-16be", "unicode"])
def test_declared_utf16_means_utf8(label: str) -> None:
    page = page_of("naïve", f"<meta charset={label}>").encode() + b"\xff"
    assert decode(page)[1:] == ("utf-8", "meta")


def utf16_twin(data: bytes, big: bool) -> str:
    """Decode UTF-16 unit by unit."""
    units = [int.from_bytes(data[at : at + 2], "big" if big else "little") for at in range(0, len(data) - 1, 2)]
    characters = []
    while units:
        unit = units.pop(0)
        if 0xD800 <= unit < 0xDC00 and units and 0xDC00 <= units[0] < 0xE000:
            characters.append(chr(0x10000 + ((unit - 0xD800) << 10) + units.pop(0) - 0xDC00))
        else:
            characters.append("\ufffd" if 0xD800 <= unit < 0xE000 else chr(unit))
    return "".join(characters) + "\ufffd" * (len(data) % 2)


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from([b"\xd8\x3d", b"\xde\x00", b"\xdb\xff", b"\xdf\xff", b"\0a", b"\x4e\x00", b"<"])),
    st.booleans(),
)
def test_utf16_with_bad_surrogates(pieces: list[bytes], big: bool) -> None:
    data = b"".join(piece if big else piece[::-1] for piece in pieces)
    assert check(decode((codecs.BOM_UTF16_BE if big else codecs.BOM_UTF16_LE) + data)) == utf16_twin(data, big)


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_single_bytes(name: str) -> None:
    text = check(decode(bytes(range(256)), name))
    assert len(text) == 256
    assert text[:128] == bytes(range(128)).decode("ascii")
    # the standard leaves no byte below A0 without a character
    assert "\ufffd" not in text[:0xA0]


def test_windows_1252_has_all_bytes() -> None:
    text = check(decode(bytes(range(0x80, 0x100)), "latin1"))
    assert text[:32] == "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"
    assert text[32:] == bytes(range(0xA0, 0x100)).decode("latin1")
    # windows-1253 has not: one control, and three that mean nothing
    assert check(decode(b"\x81\xaa\xd2\xff", "windows-1253")) == "\x81\ufffd\ufffd\ufffd"


@pytest.mark.parametrize(("name", "codec", "text"), LANGUAGES)
def test_truncated_anywhere(name: str, codec: str, text: str) -> None:
    page = (f"<meta charset={name}><p>{text}</p>" * 2).encode(codec)
    whole = page.decode(codec)
    for end in range(len(page)):
        decoded = decode(page[:end], name)
        read = check(decoded)
        assert decoded[1:] == (name, "given")
        assert whole.startswith(read.rstrip("\ufffd"))
        assert len(read) - len(read.rstrip("\ufffd")) <= 3
        # declared: the same, as soon as the text is more than a few characters
        if end > len(page) // 2:
            assert decode(page[:end]).html == decoded.html


@pytest.mark.parametrize(("name", "codec", "text"), MULTIBYTE)
def test_markup_survives_a_broken_character(name: str, codec: str, text: str) -> None:
    for character in text:
        lead = character.encode(codec)[:1]
        read = check(decode(b"<p>" + lead + b"</p>", name))
        assert read.startswith("<p>")
        assert read.endswith("</p>")


def test_iso_2022_jp_only_when_declared() -> None:
    text = "日本の首都は東京です"
    page = page_of(text, "<meta charset=iso-2022-jp>")
    decoded = decode(page.encode("iso2022_jp"))
    assert check(decoded) == page
    assert decoded[1:] == ("iso-2022-jp", "meta")
    assert decode(page.encode("iso2022_jp"), "iso-2022-jp")[1:] == ("iso-2022-jp", "given")
    undeclared = page_of(text).encode("iso2022_jp")
    assert decode(undeclared).html is undeclared


@pytest.mark.parametrize("label", [name for name in NAMES if not name.startswith("utf")])
@given(st.sampled_from(LANGUAGES))
def test_utf8_outweighs_a_wrong_meta(label: str, row: tuple[str, str, str]) -> None:
    page = page_of(row[2], f"<meta charset={label}>").encode()
    decoded = decode(page)
    assert decoded.html is page
    assert decoded[1:] == ("utf-8", "valid")


@pytest.mark.parametrize("label", SINGLE_BYTE)
def test_one_utf8_character_outweighs_a_single_byte_encoding(label: str) -> None:
    page = f"<meta charset={label}><p>caf\u00e9</p>".encode()
    assert decode(page) == (page, "utf-8", "valid")


def test_a_few_bytes_of_utf8_may_be_an_accident() -> None:
    page = "<meta charset=gbk><p>模式</p>"
    assert page.encode("gbk").decode() == page.replace("模式", "ģʽ")
    assert check(decode(page.encode("gbk"))) == page
    assert decode(page.encode("gbk"))[1:] == ("gb18030", "meta")


@given(st.sampled_from(LANGUAGES), st.sampled_from(["", *NAMES]), st.data())
@settings(max_examples=100)
def test_mixed_bytes_stay_utf8(row: tuple[str, str, str], label: str, data: st.DataObject) -> None:
    """Stray bytes among many valid characters become U+FFFD, and nothing else is touched."""
    page = page_of(row[2], f"<meta charset={label}>" if label else "")
    tags = [at for at, character in enumerate(page) if character == "<" and at > 100]
    places = data.draw(st.lists(st.sampled_from(tags), min_size=1, max_size=5, unique=True).map(sorted))
    stray = data.draw(st.sampled_from([b"\xff", b"\xe9", b"\x80", b"\xc3"]))
    pieces = [page[start:end] for start, end in zip([0, *places], [*places, None], strict=True)]
    decoded = decode(stray.join(piece.encode() for piece in pieces))
    assert check(decoded) == "\ufffd".join(pieces)
    assert decoded[1:] == ("utf-8", "meta" if label.startswith("utf") else "detected")


@pytest.mark.parametrize("text", [row[2] for row in LANGUAGES] + ["\ufffd"])
@pytest.mark.parametrize("label", ["utf-8", "windows-1252", "shift_jis"])
def test_the_first_or_the_last_byte_is_bad(text: str, label: str) -> None:
    """Text that another program could not read is UTF-8, too."""
    page = page_of(text, f"<meta charset={label}>")
    source = "meta" if label == "utf-8" else "detected"
    assert decode(b"\xff" + page.encode()) == (f"\ufffd{page}".encode(), "utf-8", source)
    assert decode(page.encode() + b"\xe3") == (f"{page}\ufffd".encode(), "utf-8", source)


@pytest.mark.parametrize(("name", "codec", "text"), LEGACY)
def test_not_the_utf8_it_declares(name: str, codec: str, text: str) -> None:
    page = page_of(text, "<meta charset=utf-8>")
    decoded = decode(page.encode(codec))
    assert check(decoded) == page
    assert decoded[1:] == (name, "detected")


@pytest.mark.parametrize(("name", "codec", "text"), LANGUAGES)
@pytest.mark.parametrize("label", NAMES)
def test_the_caller_is_never_corrected(name: str, codec: str, text: str, label: str) -> None:
    decoded = decode(page_of(text, f"<meta charset={name}>").encode(codec), label)
    check(decoded)
    assert decoded[1:] == (label, "given")


@pytest.mark.parametrize(
    ("label", "name"),
    [("euc-jp", "windows-1252"), ("euc-jp", "shift_jis"), ("big5", "shift_jis"), ("euc-kr", "windows-1250")],
)
def test_a_multibyte_label_that_fails_badly_is_given_up(label: str, name: str) -> None:
    codec, text = BY_NAME[name]
    page = page_of(text, f"<meta charset={label}>")
    decoded = decode(page.encode(codec))
    assert check(decoded) == page
    assert decoded[1:] == (name, "detected")


@pytest.mark.parametrize(("name", "codec", "text"), MULTIBYTE)
def test_a_multibyte_label_survives_some_bad_bytes(name: str, codec: str, text: str) -> None:
    page = page_of(text, f"<meta charset={name}>").encode(codec).replace(b"</li>", b"\xff</li>")
    decoded = decode(page)
    assert check(decoded) == page.decode(codec, "replace")
    assert decoded[1:] == (name, "meta")


@pytest.mark.parametrize(("name", "codec", "text"), MULTIBYTE)
def test_a_multibyte_label_survives_a_clean_guess(name: str, codec: str, text: str) -> None:
    """Between much ASCII half a character misleads the detector to an encoding in which all can be read."""
    page = f"<meta charset={name}><ul>" + f"<li>The price of the product called {text[:2]} is <b>19.99</b>" * 6
    broken = page.encode(codec) + b"<p>" + text.encode(codec)[:1] + b"</p>"
    misled = decode(broken.replace(f"charset={name}".encode(), b""))
    assert misled.encoding in ("windows-1252", "windows-874")
    assert "\ufffd" not in check(misled)
    assert decode(broken)[1:] == (name, "meta")


@pytest.mark.parametrize("name", ["gb18030", "euc-kr"])
def test_a_multibyte_label_survives_a_guess_that_is_no_better(name: str) -> None:
    """The detector takes 80 for a character of gb18030, the decoder does not."""
    codec, text = BY_NAME[name]
    page = page_of(text, f"<meta charset={name}>").encode(codec).replace(b"</a>", b"\x80" * 20 + b"</a>")
    decoded = decode(page)
    assert check(decoded).count("\ufffd") == 400
    assert decoded[1:] == (name, "meta")


def test_a_wrong_label_is_given_up_for_one_with_less_damage() -> None:
    codec, text = BY_NAME["shift_jis"]
    page = page_of(text, "<meta charset=big5>").encode(codec).replace(b"</a>", b"\x93</a>", 1)
    decoded = decode(page)
    assert check(decoded) == page.decode(codec, "replace")
    assert decoded[1:] == ("shift_jis", "detected")


@pytest.mark.parametrize(("name", "codec", "text"), MULTIBYTE)
def test_titles_cut_in_the_middle_of_a_character(name: str, codec: str, text: str) -> None:
    """Undeclared, with one text in five cut as some servers cut them: the others speak for the encoding."""
    texts = [text.encode(codec)[: 31 if n % 5 == 0 else None] for n in range(50)]
    page = b"<li>" + b"</li><li>".join(texts) + b"</li>"
    assert decode(page)[1:] == (name, "detected")


@pytest.mark.parametrize(
    "text",
    [
        "£5",
        "Price £5.99, was £10.00",
        "Acme® widgets ©2004",
        "±5% ® ¥500",
        "µm £5 Øre ©2004 £6.99 £5",
        "naïve",
        "knowledge¾information",
    ],
)
def test_signs_do_not_make_a_language(text: str) -> None:
    page = page_of(text)
    decoded = decode(page.encode("cp1252"))
    assert check(decoded) == page
    assert decoded[1:] == ("windows-1252", "detected")


def test_the_detector_sees_what_comes_late() -> None:
    """A sign in the head and the text after more ASCII than the detector is given."""
    for name, codec, text in LEGACY:
        page = f"<p>{text[0]}</p>" + "<script>f();</script>" * 10_000 + page_of(text)
        assert decode(page.encode(codec)).encoding == name


LABEL = st.none() | st.sampled_from([*NAMES, "text/html", *(f"text/html; charset={name}" for name in NAMES)])
PIECES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from([text.encode(codec) for _, codec, text in LANGUAGES]),
    st.sampled_from([text.encode(codec)[:7] for _, codec, text in LANGUAGES]),
    st.sampled_from([f"<meta charset={name}>".encode() for name in NAMES]),
    st.sampled_from(
        [
            b"\xff\xfe",
            b"\xfe\xff",
            b"\xef\xbb\xbf",
            b"\x1b$B",
            b"\x1b(I",
            b"\x1b",
            b"\x0e",
            b"~{",
            b"<\0p\0>\0",
            b"<",
            b"<!--",
        ]
    ),
)


@settings(max_examples=500)
@given(st.lists(PIECES, max_size=12).map(b"".join), LABEL)
def test_never_an_exception(page: bytes, encoding: str | None) -> None:
    check(decode(page, encoding))


@pytest.mark.parametrize(
    "make",
    [
        lambda size: b"\x81" * size,
        lambda size: b"a" * size + b"\xe9",
        lambda size: b"\xe9<" * (size // 2),
        lambda size: b"<meta charset=gbk>" + random.Random(1).randbytes(size),
        lambda size: b"\xff\xfe" + b"\0\xd8" * (size // 2),
        lambda size: "東京".encode() * (size // 6) + b"\xe6",
    ],
    ids=["bad", "late", "tags", "binary", "surrogates", "cut"],
)
def test_fifty_megabytes_end_soon(make: Callable[[int], bytes]) -> None:
    page = make(50_000_000)
    with ends_soon():
        decoded = decode(page)
    assert decoded.html


@settings(max_examples=1000)
@given(
    st.lists(
        st.sampled_from([b"<p>", b"text ", "é".encode(), "日本".encode(), b"\xe9", b"\0", b"\x1b$B", b"x\0"])
        | st.sampled_from([b"<meta charset=%b>" % label for label in (b"latin1", b"utf-8", b"big5", b"iso-2022-jp")]),
        max_size=8,
    ).map(b"".join)
)
def test_what_is_plain_needs_no_closer_look(page: bytes) -> None:
    """A memoryview takes the long way."""
    assert decode(page) == decode(memoryview(page))
