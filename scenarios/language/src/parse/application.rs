//! What is expected of the application under test, and for how long it is asked.

use super::moves::wait;
use super::reader::Reader;
use crate::ast::{ApplicationRequest, Call, Tries};
use crate::tree::Node;

/// Methods that change nothing, however often they are sent.
pub(crate) const READS: &[&str] = &["GET", "HEAD"];

/// A read that is sent until its answer is as expected.
pub(super) fn awaited(
    reader: &mut Reader<'_>,
    call: Call,
    value: &Node,
    within: Option<&Node>,
) -> Option<ApplicationRequest> {
    if !READS.contains(&call.method.as_str()) {
        let fault = reader.fault(
            &value.span,
            format!("`expect app` sends its request again and again, and a {} may change something", call.method),
        );
        fault.hint =
            Some(format!("`app: {} {}` sends it once; `expect app` takes GET and HEAD", call.method, call.path));
        return None;
    }
    let within = match within {
        Some(node) => wait(reader, node)?,
        None => Tries::USUAL,
    };
    Some(ApplicationRequest { call, tries: Tries::Until(within) })
}
