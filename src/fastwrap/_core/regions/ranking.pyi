"""Features of regions, and their weighted sums: what Python sees of it are their names."""

FEATURE_NAMES: tuple[str, ...]
"""The features, in order:

- quality: the product of the three scores that follow; coverage, similarity, variety
- count: the records
- letters: the content of a record; longest: of the longest text in a record (means over the records)
- linked: the share of the text that is in links
- pictures: the share of records with a picture
- items: nodes with content in a record
- unique: the share of records whose text is different
- navigation: the share of records in an element for navigation
- prose: letters of prose on the page outside the region and in no link, as a share of the content of the page

Of quality and coverage the logarithm is weighed, of letters, longest and items that of one more, and of the count that
of one more than it or 12.
"""
