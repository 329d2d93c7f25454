"""Building tables: what has to be done (`plan`), doing it (`builder`), and putting it on disk (`directory`)."""

from dame_fast.build.builder import BuildResult, build
from dame_fast.build.plan import Pair, Plan, make_plan
from dame_fast.build.report import Reporter, SilentReporter

__all__ = ["BuildResult", "Pair", "Plan", "Reporter", "SilentReporter", "build", "make_plan"]
