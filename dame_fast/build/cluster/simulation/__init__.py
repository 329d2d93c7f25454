"""A build on a cluster that is only planned: the same tasks, handed out in the same order, and none is done."""
