//! Steps of money that comes in and goes out.

use super::Name;

/// Name of a mobile payment: the number its asking step carries.
pub type PaymentName = u16;

/// A request for a mobile payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// How later steps call it.
    pub name: PaymentName,
    /// For which account.
    pub account: Name,
    /// How much.
    pub ore: u64,
    /// Where the payer's app is.
    pub device: Device,
}

/// Where a payer's app is, and how it gets to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Device {
    /// On the same device.
    Same,
    /// On the same device, and yet a code is asked for: refused.
    SameWithCode,
    /// On another device, whose code has no named form.
    Other,
    /// On another device, whose code is a drawing.
    OtherBySvg,
}

/// What happens to a mobile payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentAct {
    /// The payer looks at it.
    Open,
    /// It is paid.
    Pay,
    /// The payer declines.
    Decline,
    /// It fails, by the place of the code.
    Fail(u8),
}

/// Name of an instruction: the number its step carries.
pub type InstructionName = u16;

/// Something about money that comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Money {
    /// A partner gives an instruction.
    Instruct(Instruct),
    /// Somebody pays so many ore over bankgiro with the reference of an account.
    Bankgiro(Name, u32),
    /// The same through another partner, whose reference it is not.
    ThroughOther(Name, u32),
    /// The payer of an instruction sends its total through another partner.
    SendThroughOther(InstructionName),
    /// Somebody pays so many ore over bankgiro with a reference that nobody has.
    Nobodys(u32),
    /// The payer of an instruction sends its total, or an ore more.
    Send(InstructionName, bool),
    /// The bank refuses the first payment of an instruction, by the place of the code.
    Fail(InstructionName, u8),
    /// The payer wants its last payment back; whether it was never authorised.
    Refund(InstructionName, bool),
    /// The operator gives the oldest open money in suspense to an account.
    Allocate(Name),
    /// The operator sends it back.
    Return,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruct {
    /// How later steps call it.
    pub name: InstructionName,
    /// Into which account.
    pub account: Name,
    /// How many payments.
    pub count: u8,
    /// How much each, in ore.
    pub ore: u32,
    /// Whether the payer sends the total.
    pub transfer: bool,
    /// Whether its references were used before.
    pub again: bool,
}

/// Cash that a partner takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Withdraw {
    /// Out of which account.
    pub account: Name,
    /// How much.
    pub sum: Taken,
    /// What is odd about the request.
    pub slip: WithdrawalSlip,
}

/// How much is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taken {
    /// So many ore.
    Ore(u64),
    /// So many sixty-fourths of what can be spent.
    Part(u8),
    /// All that can be spent, without saying how much.
    Full,
    /// The least that the limits allow.
    Least,
    /// An ore less.
    TooLittle,
    /// The most that the limits allow.
    Most,
    /// An ore more.
    TooMuch,
}

/// What is odd about a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithdrawalSlip {
    /// Nothing.
    None,
    /// It carries a reference.
    Referenced,
    /// Its reference has 256 characters.
    LongReference,
    /// It goes to a bank account that is nobody's.
    ForeignBank,
    /// Somebody else asks.
    OtherClient,
    /// It comes from another partner.
    OtherPartner,
    /// It names an account that does not exist.
    UnknownAccount,
    /// It does not say how much.
    NoAmount,
    /// It says how much in two ways.
    Twice,
}
