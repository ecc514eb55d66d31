//! Values of the core as Python takes them.

use minos_core::problem::Problem;

/// A problem: `(line, code, path, byte, message)`.
pub(crate) type Told = (u64, &'static str, String, Option<u64>, String);

/// Problems as Python takes them, in their order.
pub(crate) fn problems(problems: Vec<Problem>) -> Vec<Told> {
    let told = problems.into_iter().map(|problem| {
        (
            problem.line,
            problem.code.as_str(),
            problem.path,
            problem.byte,
            problem.message,
        )
    });
    told.collect()
}
