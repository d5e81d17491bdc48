"""Flags of the slots of a template; see `aligning.pxd` for what they mean."""

LABEL_FLAG: int
STRICT_FLAG: int
RICH_FLAG: int
LOOSE_FLAG: int
NEAR_FLAG: int
VARIES_FLAG: int
KIND_FLAG: int
