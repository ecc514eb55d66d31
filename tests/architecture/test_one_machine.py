"""One machine runs all families: none has queues, limits, retries, journals, samples of its own."""

import ast

import pytest
from tests.architecture.source import area, modules, tree

FAMILIES = {"agents", "cases", "decisions"}
FAMILY_MODULES = [name for name in modules() if area(name) in FAMILIES]

QUEUES = {
    "CapacityLimiter",
    "Lock",
    "Queue",
    "Semaphore",
    "TaskGroup",
    "Thread",
    "ThreadPoolExecutor",
    "as_completed",
    "create_memory_object_stream",
    "create_task",
    "create_task_group",
    "gather",
    "start_soon",
}
TIME_LIMITS = {
    "CancelScope",
    "current_effective_deadline",
    "fail_after",
    "move_on_after",
    "timeout",
    "timeout_at",
    "wait_for",
}
RETRIES = {"backoff", "sleep", "tenacity"}
JOURNALS = {"O_APPEND", "flock", "ftruncate"}
SAMPLES = {"Random", "nsmallest", "random", "randrange", "shuffle"}


def _used(module):
    """The last names of everything that a module calls or imports."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.name.rpartition(".")[2] for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


@pytest.mark.parametrize("module", FAMILY_MODULES)
@pytest.mark.parametrize(
    "machinery",
    [QUEUES, TIME_LIMITS, RETRIES, JOURNALS, SAMPLES],
    ids=["queue", "time limit", "retry", "journal", "sample"],
)
def test_a_family_has_no_machinery_of_its_own(module, machinery):
    assert machinery.intersection(_used(module)) == set()


def test_each_family_runs_on_the_scheduler():
    driving = {area(module) for module in FAMILY_MODULES if "run_attempts" in _used(module)}
    journaling = {area(module) for module in FAMILY_MODULES if "Journal" in _used(module)}
    assert driving == journaling == {area(name) for name in FAMILY_MODULES}


def test_the_scheduler_knows_no_family():
    for module in modules():
        if area(module) == "attempts":
            text = modules()[module].read_text(encoding="utf-8")
            assert not [family for family in FAMILIES if f"minos.{family}" in text], module
