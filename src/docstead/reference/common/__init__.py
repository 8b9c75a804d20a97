"""Parts that reference pages of several formats share."""
