"""Pages about one thing: the template of several, learned by aligning their trees (FiVaTech, Kayed & Chang 2010).
What differs is the record, what is equal the template; `fastwrap.wrapper` saves both and reads later pages by them."""

from fastwrap.template.learning import learn
from fastwrap.template.schema import Schema, schema_of
from fastwrap.template.template import DetailColumn, DetailTemplate

__all__ = ["DetailColumn", "DetailTemplate", "Schema", "learn", "schema_of"]
