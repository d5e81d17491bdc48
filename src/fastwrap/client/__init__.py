"""The client: `fastwrap.Client` and `fastwrap.AsyncClient` have the methods of the library, and a server does the work.
What comes back is made of the server's JSON, and has what the library gives: records, columns, typed values.

Nothing here needs httpx2 before a client is made, so that `from fastwrap import *` works without it.
"""

from fastwrap.client.asynchronous import AsyncClient, AsyncRemoteWrapper
from fastwrap.client.blocking import Client, RemoteWrapper
from fastwrap.client.errors import RemoteError
from fastwrap.client.patience import Patience

__all__ = ["AsyncClient", "AsyncRemoteWrapper", "Client", "Patience", "RemoteError", "RemoteWrapper"]
