"""Clusters of real processes on this machine, drivers that a test steers, and what can be done to them."""
