"""Pages about one thing: the template of several of them, learned by aligning their trees (FiVaTech, Kayed & Chang 2010).
What differs is the record, what is equal the template; `fastwrap.wrapper` saves both and reads later pages by them."""
