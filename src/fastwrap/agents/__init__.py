"""Tools for agents, by the Model Context Protocol: the table of a page, its content, wrappers, and why a list is one.
`tools` knows nothing of the protocol, `server` nothing of pages; the SDK is imported where it is asked for."""
