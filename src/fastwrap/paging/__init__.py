"""The next-page link: which link of a listing page leads to the following page of the same listing.
Labels (words, arrows, rel, class names) and rows of numbers propose links; the addresses of link and page decide.

Few links are worth a look; a native scan finds them: links whose text, title or alternative text starts like something
that pagers say, links with "next" in an attribute, and rows of numbers. One number larger in the address is what paging
looks like, whatever the language. Which way is next is for the page to say: "older posts" lead on, unless the page
marks them as previous.
"""

from fastwrap.paging.buttons import More, more
from fastwrap.paging.choosing import NextPage, find, next_page

__all__ = ["More", "NextPage", "find", "more", "next_page"]
