"""Pages that the browser is shown: an honest one, and one that tries whatever a page may try."""

from __future__ import annotations

from tests.helpers.paths import EXAMPLES

SHOP = (EXAMPLES / "shop.html").read_text(encoding="utf-8")
URL = "https://shop.example/cookware"

NAMES = ("Assam leaf", "Ceylon gold", "Darjeeling first", "Keemun black", "Sencha spring", "Uji shade")
OTHERS = ("Gyokuro deep", "Lapsang pine", "Matcha fine", "Oolong half", "Yunnan bud")


def teas(*names: str) -> str:
    """A list of teas with these names."""
    items = "".join(
        f'<li class=tea><h3><a href="/tea/{k}">{name}</a></h3><p class=price>{(7 * k) % 11 + 2}.50 EUR</p>'
        f"<p class=note>picked by hand in {name.split()[0]}</p><button>Buy</button></li>"
        for k, name in enumerate(names)
    )
    return f"<title>Teas</title><h1>Teas</h1><ul class=teas>{items}</ul>"


EVIL = "http://evil.example"
PWN = "top.pwned=1;top.document.title='pwned';fetch('/pwned')"
HOSTILE = """<!doctype html><html onclick="PWN"><head><title>x</title>
<base href="EVIL/"><meta http-equiv=refresh content="0;url=EVIL/refresh">
<meta http-equiv=Content-Security-Policy content="default-src *">
<link rel=stylesheet href="EVIL/a.css"><link rel=preload as=image href="EVIL/p.png"><link rel=icon href="EVIL/i.ico">
<link rel=dns-prefetch href="EVIL"><link rel=modulepreload href="/page/app.js">
<style>@import "EVIL/b.css"; @import url(/page/pwned.css); @font-face { font-family: f; src: url(EVIL/f.woff) }
html, body { font-family: f; background: url(EVIL/bg.png), u\\72l(/pwned.png) }
body::before { content: url(EVIL/c.png); position: fixed; inset: 0; z-index: 2147483647; background: red }
* { cursor: url(EVIL/cursor.png), auto !important; pointer-events: auto !important }</style>
<script>PWN</script><script src="EVIL/s.js"></script><script type=module>import "/page/app.js"; PWN</script></head>
<body onload="PWN" onmousemove="PWN" background="EVIL/body.png">
<div style="position:fixed;inset:0;width:100vw;height:100vh;background:url(EVIL/d.png) #f00;z-index:2147483647">x</div>
<img src=x onerror="PWN"><img src="EVIL/img.png" srcset="EVIL/2.png 2x"><img src="/pwned.png">
<svg onload="PWN"><script>PWN</script><image href="EVIL/svg.png"/><use href="EVIL/u.svg#a"/>
<animate onbegin="PWN" attributeName=x dur=1s></svg>
<iframe src="EVIL/frame"></iframe><iframe srcdoc="<script>PWN</script>"></iframe><object data="EVIL/o"></object>
<embed src="EVIL/e"><video src="EVIL/v.mp4" poster="EVIL/poster.png" autoplay></video>
<audio src="EVIL/a.mp3" autoplay></audio><input autofocus onfocus="PWN">
<details open ontoggle="PWN"><summary>x</summary></details>
<form id=f action="EVIL/form" name=documentElement><input name=addEventListener><button name=body>go</button>
<input type=image src="EVIL/button.png"></form><img name=querySelectorAll><img name=getElementById>
"""
ITEM = """<li class=item onclick="PWN"><a href="javascript:PWN">Name NUMBER</a>
<a href="EVIL/NUMBER" target=_top ping="EVIL/ping">more</a>
<b style="background:url(EVIL/sNUMBER.png)" onmouseover="PWN">NUMBER.50 EUR</b>
<img src="EVIL/NUMBER.png" onload="PWN" alt="&lt;script&gt;NUMBER"><i>&lt;img src=x onerror=PWN&gt; NUMBER</i></li>"""


def hostile(count: int = 6) -> str:
    """A list whose page means harm: it would run, load, send, lead away, cover all, and be in our way."""
    items = "".join(ITEM.replace("NUMBER", str(k)) for k in range(1, count + 1))
    page = f"{HOSTILE}<ul>{items}</ul><form action='EVIL/send'><button formaction='javascript:PWN'>send</button></form>"
    return page.replace("PWN", PWN).replace("EVIL", EVIL)
