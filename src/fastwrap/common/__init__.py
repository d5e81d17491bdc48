"""What every room may use and no user needs: lazy properties, and the choice of the backend."""
