//! Values of the core as Python takes them.

use minos_core::problem::Problem;

/// A problem: `(line, code, path, byte, message)`.
pub(crate) type Told = (u64, &'static str, String, Option<u64>, String);

/// A problem as Python takes it.
pub(crate) fn problem(problem: Problem) -> Told {
    let code = problem.code.as_str();
    let Problem {
        line,
        path,
        byte,
        message,
        ..
    } = problem;
    (line, code, path, byte, message)
}

/// Problems as Python takes them, in their order.
pub(crate) fn problems(problems: Vec<Problem>) -> Vec<Told> {
    problems.into_iter().map(problem).collect()
}
