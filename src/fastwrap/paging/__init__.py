"""The next-page link: which link of a listing page leads to the following page of the same listing.
Labels (words, arrows, rel, class names) and rows of numbers propose links; the addresses of link and page decide.

Few links are worth a look; a native scan finds them: links whose text, title or alternative text starts like something
that pagers say, links with "next" in an attribute, and rows of numbers. Each gets points for what it says, how it is
marked, for its number, and for how its address relates to that of the page: one number larger is what paging looks
like, whatever the language. Which way is next is the page's own word: "older posts" lead on, unless the page marks
them as previous.
"""

from fastwrap.paging.choosing import NextPage, find, next_page

__all__ = ["NextPage", "find", "next_page"]
