"""What every room may use and no user needs: lazy properties, files, and the choice of the backend."""
