"""Pictures: learning curves and confusion matrices."""
