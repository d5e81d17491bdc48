"""Listings of several pages: `fastwrap.follow` goes from page to page, and makes one table of their records.
Politely: robots.txt is asked, and there is a pause between two pages; and never without end."""

from fastwrap.crawling.following import Followed, FollowedPage, follow
from fastwrap.crawling.politeness import Fetch, Polite

__all__ = ["Fetch", "Followed", "FollowedPage", "Polite", "follow"]
