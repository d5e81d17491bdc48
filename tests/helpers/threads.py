"""Pages of threads as their makers write them: forums in tables and in boxes, questions with votes, nested comments."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

AUTHORS = ("ann", "Bert82", "the_cat", "ann", "Dora", "Bert82", "eve", "finn")


class Post(NamedTuple):
    """What somebody wrote, and when."""

    number: int
    author: str
    date: str
    text: tuple[str, ...]
    """Paragraphs; one that begins with ">" is quoted from somebody, one with "*" an item of a list, and one with "$"
    code."""

    @property
    def said(self) -> str:
        """The whole text, as a page shows it."""
        return " ".join(part.removeprefix("> ").removeprefix("* ").removeprefix("$ ") for part in self.text)


TEXTS = (
    ("Hello all, my kettle makes a noise like a small train whenever it boils, and the neighbours ask about it.",
     "It is two years old. What can I do about that?"),
    ("Descale it with vinegar, rinse it twice, and the noise will be gone, at least that is what helped with mine.",),
    ("> the neighbours ask about it", "Mine did that, too. These helped me, one after the other:",
     "* vinegar and water", "* a new lid", "But it took me some weeks to find out, so have patience with it."),
    ("Thanks, that worked! I did not believe that it would, but now it is as quiet as on the first day.",),
    ("For those who like to measure how loud theirs is, I wrote a little program, which runs anywhere:",
     "$ loud --seconds 10", "It prints one line for each second, and the mean below them."),
    ("> It prints one line for each second", "On my machine it prints nothing at all, whatever I do.",
     "Which version is that?"),
    ("Buy another one, life is too short for kettles, and new ones need less power than those of two years ago.",),
    ("I second that. But keep the old one for the garden, where nobody minds how loud it is, except for the cat.",),
)  # fmt: skip


def posts(count: int = 8) -> list[Post]:
    """So many posts of a thread, in order of time."""
    return [
        Post(k, AUTHORS[k % len(AUTHORS)], f"{3 + k} March 2023, 1{k % 10}:05", TEXTS[k % len(TEXTS)])
        for k in range(count)
    ]


def written(post: Post) -> str:
    """The text of a post as editors write it."""
    parts = []
    for part in post.text:
        if part.startswith("> "):
            parts.append(f"<blockquote><p>{part[2:]}</p></blockquote>")
        elif part.startswith("* "):
            parts.append(f"<ul><li>{part[2:]}</li></ul>")
        elif part.startswith("$ "):
            parts.append(f"<pre><code>{part[2:]}</code></pre>")
        else:
            parts.append(f"<p>{part}</p>")
    return "".join(parts).replace("</ul><ul>", "")


def broken(post: Post) -> str:
    """The same with line breaks alone, as old forums have it."""
    parts = []
    for part in post.text:
        quoted = f"<table><tr><td>Quote:</td></tr><tr><td class=quote>{part[2:]}</td></tr></table>"
        parts.append(quoted if part.startswith("> ") else part.removeprefix("* ").removeprefix("$ ") + "<br>")
    return "".join(parts)


def frame(main: str, title: str = "My kettle is loud") -> str:
    """A page around a thread."""
    menu = "".join(f"<li><a href=/board/{name}>{name}</a>" for name in ("Kitchen", "Garden", "Cellar", "Attic"))
    side = "".join(f"<li><a href=/topic/{k}>Some other topic about {k} things</a>" for k in range(6))
    return (
        f"<!doctype html><title>{title}</title><body><div class=top><ul>{menu}</ul></div>{main}"
        f"<div class=side><h3>Recent topics</h3><ul>{side}</ul></div><div class=foot><p>All times are GMT.</p></div>"
    )


def table_forum(thread: list[Post]) -> str:
    """A forum of 2005: rows of two cells, no classes for what they mean."""
    rows = "".join(
        f"<tr><td width=150 valign=top><b>{post.author}</b><br>Member<br>Posts: {20 + 7 * post.number}</td>"
        f"<td valign=top><font size=1>Posted: {post.date}</font><hr>{broken(post)}</td></tr>"
        for post in thread
    )
    return frame(f"<h1>My kettle is loud</h1><table border=1><tr><th>Author<th>Message</tr>{rows}</table>")


def box_forum(thread: list[Post]) -> str:
    """A forum of today: boxes with a profile, a head and a body each."""
    boxes = "".join(
        f"<article class=message id=post-{post.number}><aside class=message-user><a href=/members/{post.author}.1/ "
        f"class=avatar><img src=/a/{post.author}.png width=96 height=96></a><h4><a href=/members/{post.author}.1/>"
        f"{post.author}</a></h4><h5 class=user-title>{('Member', 'Regular', 'Guru')[post.number % 3]}</h5>"
        f"<dl><dt>Joined<dd>5 May 20{10 + post.number % 7}</dl></aside><div class=message-main><header><a "
        f"href=/topic/7/post-{post.number}><time datetime=2023-03-0{1 + post.number}>{post.date}</time></a> "
        f"<a href=/topic/7/post-{post.number}>#{post.number + 1}</a></header><div class=message-body>{written(post)}"
        + ("<p class=last-edit>Last edited: 9 March 2023</p>" if post.number == 2 else "")
        + "</div><footer><a href=#>Reply</a></footer></div></article>"
        for post in thread
    )
    return frame(f"<main><h1>My kettle is loud</h1><div class=messages>{boxes}</div></main>")


def questions(thread: list[Post]) -> str:
    """A question with its answers, which have votes."""

    def one(post: Post, kind: str) -> str:
        return (
            f"<div class='{kind} entry' id={kind}-{post.number}><div class=votes><span class=count>{9 - post.number}"
            f"</span></div><div class='{kind}-cell cell'><div class='prose js-body'>{written(post)}</div><div "
            f"class='signature right'><span class=action>{kind}ed <span class=when>{post.date}</span></span><a "
            f"class='who card' href=/users/{post.number}/{post.author}>{post.author}</a><span class='score small'>"
            f"{100 + post.number}</span></div><div class='menu row gap'><a href=/p/{post.number} class='item share'>"
            f"Share</a><a class='item follow' href=#>Follow</a></div></div></div>"
        )

    answers = "".join(one(post, "answer") for post in thread[1:])
    head = "<div class=head><h1>My kettle is loud</h1></div>"
    tail = f"<div class=answers><h2>{len(thread) - 1} Answers</h2>{answers}</div>"
    return frame(f"<main>{head}{one(thread[0], 'question')}{tail}</main>")


def comment(post: Post, below: str = "") -> str:
    """A comment, and what stands below it."""
    return (
        f"<li class=thread-item><div class='comment node'><div class='byline small'><a class='user name' "
        f"href=/u/{post.author}>{post.author}</a> <time class='when ago'>{post.date}</time> <span class='points up'>"
        f"{post.number} points</span></div><div class='comment-text prose'>{written(post)}</div></div>{below}</li>"
    )


def nested(thread: list[Post]) -> str:
    """Comments below comments: the second and third answer the first, the fourth the third, and so on."""
    third = comment(thread[3], f"<ol class=replies>{comment(thread[4])}</ol>")
    first = comment(thread[1], f"<ol class=replies>{comment(thread[2])}{third}</ol>")
    sixth = comment(thread[5], f"<ol class=replies>{''.join(map(comment, thread[6:]))}</ol>")
    return f"<ol class=comments>{first}{sixth}</ol>"


def plain_comment(post: Post, below: str, item: str, inner: str) -> str:
    """A comment in an element without a class, and the list of its replies."""
    return (
        f"<li{item}><{inner}><footer><b><a href=/u/{post.author}>{post.author}</a></b> <a href=#c{post.number}><time "
        f"datetime=2023-03-0{1 + post.number}>{post.date}</time></a></footer><div>{written(post)}</div><div><a "
        f"href=#r{post.number}>Reply</a></div></{inner}>{f'<ul>{below}</ul>' if below else ''}</li>"
    )


def plain_nested(thread: list[Post], item: str = "", inner: str = "article") -> str:
    """Comments below comments, as `nested` has them, but that posts have no class."""

    def one(number: int, below: str = "") -> str:
        return plain_comment(thread[number], below, item, inner)

    first = one(1, one(2) + one(3, one(4)))
    return f"<ol>{first}{one(5, ''.join(one(number) for number in range(6, len(thread))))}</ol>"


def story(thread: list[Post]) -> str:
    """A story that somebody posted, and nested comments on it."""
    top = thread[0]
    above = (
        f"<div class='story node'><h1><a href=/s/1>My kettle is loud</a></h1><div class='byline small'><a "
        f"class='user name' href=/u/{top.author}>{top.author}</a> <time class='when ago'>{top.date}</time> <span "
        f"class='points up'>99 points</span></div><div class='story-text prose'>{written(top)}</div></div>"
    )
    return frame(f"<main>{above}<h2>{len(thread) - 1} comments</h2>{nested(thread)}</main>")


THREADS: dict[str, Callable[[list[Post]], str]] = {
    "table forum": table_forum,
    "box forum": box_forum,
    "questions": questions,
    "story": story,
}
"""Makers of pages on which every post is a record, the opening one among them."""


def article(thread: list[Post]) -> str:
    """An article of a journal, with comments of its readers."""
    text = "".join(f"<p>{' '.join(part for post in thread for part in post.text)}</p>" for _ in range(6))
    head = "<header class=entry-header><h1>The kettle</h1><p class=byline>By Grace Hall, 2 March 2023</p></header>"
    return frame(
        '<script type=application/ld+json>{"@type":"NewsArticle","headline":"The kettle"}</script>'
        f"<main><article class=entry>{head}<div class=entry-content>{text}</div></article>"
        f"<section id=comments class=comments-area><h2>Comments</h2>{nested(thread)}</section></main>",
        "The kettle",
    )
