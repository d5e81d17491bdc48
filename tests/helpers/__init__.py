"""What tests of several rooms share: paths, pages made of trees, small sites, damage to wrapper files."""
