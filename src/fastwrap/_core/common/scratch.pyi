"""Scratch memory of the native modules, which is kept from call to call: nothing here is for Python."""
