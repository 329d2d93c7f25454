"""What Dask runs first in every worker of `local:N`."""

import signal


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C to the coordinator, which ends its workers: a terminal sends it to all processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
