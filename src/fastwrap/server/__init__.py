"""The extraction server: `fastwrap serve` (needs `fastwrap[server]`). docs/server.md says what it answers and promises.
`application` is the app, `supervisor` and `worker` are the processes that run it."""
