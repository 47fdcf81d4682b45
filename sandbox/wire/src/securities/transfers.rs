//! Transfers from other custodians, and the custodians (rule: securities/transfer-shape).
//!
//! Absent on purpose: what the customer decided, which the journey's configuration and result show.

use crate::rows::shown::shown;
use crate::values::text::{Id, SortedId};
use crate::words::TransferStatus;
use sim::records;
use sim::setup;

shown! {
    /// A transfer of holdings from another custodian.
    pub Transfer<'a> of records::Transfer {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        /// The receiving account.
        account: Id = "account";
        /// Id of the ceding custodian.
        custodian: &'a str = "custodian" by custodian.as_str();
        /// Reference at the custodian, once the transfer is sent.
        external_ref: &'a str = optional "externalRef";
        state: TransferStatus = "status";
        stamped;
        hidden client, order, journey, timer;
    }
}

shown! {
    /// An institution that holdings can be transferred from.
    pub Custodian<'a> of setup::Custodian {
        id: &'a str = "id" by id.as_str();
        name: &'a str = "name";
    }
}
