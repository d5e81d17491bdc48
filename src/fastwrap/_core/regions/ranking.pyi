"""Features of regions, and their weighted sums: what Python sees of it are their names."""

FEATURE_NAMES: tuple[str, ...]
"""The features, in order; where not said otherwise, means over the records or shares of them:

- quality: the product of the three scores that follow; coverage, similarity, variety
- count: the records
- letters: the content of a record; longest: that of the longest text in it; items: its nodes with content
- unique: the share of records whose text is different
- navigation: those within an element or a role for navigation, or a dialog
- prose: letters of prose on the page outside the region, in no link and not in navigation or a dialog, as a share of
  the content of the page
- beside: levels around a record, itself included, whose class or id says that they are beside the point, up to three
- outside: those that are not within the main landmark, where that has a tenth of the content of the page
- start: the content of the page before the first record, as a share of all of it
- links: those with a link to another page, or within one
- kindred: those that link to the most frequent kind of page, or those that name a host in their link, if these are more
  and no host is named by more than two on average; 0.6 where less than half of them link to any page. Of one kind
  are addresses with the same host, number of segments in the path (twelve or more are one), first segment of several,
  and name of the first parameter (after fewer than twelve segments)
- digits: those with a digit from 0 to 9
- headings: those with an element from h1 to h6
- listed: those with a text or a link that the data of the page lists (`fastwrap.structured`)
- hidden: those that begin with a node that is not shown, as its own or an ancestor's attributes say

Of quality and coverage the logarithm is weighed, of letters, longest and items that of one more, and of the count that
of one more than it or 12.
"""
