"""The bench for experiments: extractors run on corpora of pages and are measured against answer keys, as marks.
Small parts that know each other only by what they hand over; a new corpus or evaluator is one class."""
