"""Statistics of paired matches. They import only the standard library, so that leagues can use them, too."""
