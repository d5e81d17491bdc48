"""The page at `/` of the server: paste a page, see its records outlined and in a table, and take them with you.
The page and its tables are drawn by `fastwrap.show`; here is what a browser asks for besides."""
