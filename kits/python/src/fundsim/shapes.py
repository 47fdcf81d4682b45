"""Shapes of the API, made from `fundsim openapi` by `tools/shapes.py`. Do not edit.

Numbers with decimals are read as `Decimal`, because money is exact.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

AbortedReason: TypeAlias = Literal["referenced_order_canceled"]


class AccountCheckRequest(TypedDict):
    """
    The result of the account check.
    """

    outcome: Literal["pass", "fail"]


AccountRef: TypeAlias = str
"""
Account number, usable as OCR reference of a bankgiro payment.
"""


AccountStatus: TypeAlias = Literal["pending", "active", "rejected", "confirm", "closing"]


AccountType: TypeAlias = Literal["isk", "depot", "insurance"]


class Address(TypedDict):
    """
    Postal address of an organisation.
    """

    streetAddress: str
    zipCode: str
    city: str
    country: str


class AddressSetup(TypedDict):
    """
    Postal address of an organisation.
    """

    streetAddress: str
    """
    Street and number.
    """
    zipCode: str
    """
    Postal code.
    """
    city: str
    """
    City.
    """
    country: str
    """
    Its country.
    """


AgreementKey: TypeAlias = Literal["account", "power_of_attorney", "insurance", "autogiro"]


class AgreementType(TypedDict):
    """
    An agreement type of an account.
    """

    key: AgreementKey
    swe: str
    """
    The Swedish name.
    """


AutogiroEnforce: TypeAlias = Literal["required", "optional", "none"]


class BundleRequest(TypedDict):
    """
    A bundle of rules to add.
    """

    name: str
    """
    Its name, such as `a bad day`.
    """


CalendarDate: TypeAlias = str
"""
A calendar day.
"""


CashRefType: TypeAlias = Literal["client_fee", "correction", "gift", "compensations", "inheritance", "dividend", "donation", "endowment_101", "partner_fee", "service_fee", "insurance_tax", "insurance_fee", "riskpremia_fee", "transfer", "text", "order", "payment", "ca", "internal", "external"]


CashTransactionType: TypeAlias = Literal["deposit", "withdrawal", "subscription", "redemption", "transfer_in", "transfer_out", "fee", "retrocession", "fxFee", "settlement"]


Category: TypeAlias = Literal["retail", "pro"]


class ClientTermsPatch(TypedDict):
    """
    Terms of a client as in a setup. Absent fields stay unchanged.
    """

    withdrawalNeedsSignature: NotRequired[bool | None]
    """
    Whether its partner may only instruct withdrawals that the customer has signed.
    """


class ClockRequest(TypedDict):
    """
    Mode of the clock: in one word, or as mode and factor (rule: calendar/clock-words).
    """

    clock: NotRequired[str | Decimal | int | None]
    """
    The mode in one word, as for `--clock`: `frozen`, `real`, or world seconds for each real second.
    """
    mode: NotRequired[str | None]
    """
    `frozen`, `real` or `paced`.
    """
    factor: NotRequired[str | Decimal | int | None]
    """
    World seconds for each real second.
    """


ClockTime: TypeAlias = str
"""
Local time in Stockholm.
"""


class CompanyAddress(TypedDict):
    streetAddress: str
    zipCode: str
    city: str
    country: str


class CompanyAnswer(TypedDict):
    qid: str
    answer: list[str]


class CompanyMember(TypedDict):
    name: str
    ssn: str
    role: str
    """
    `chair`, `member` or `signatory`.
    """


class CompanyPep(TypedDict):
    name: str
    ssn: NotRequired[str | None]
    exposed: bool


class ComparisonCount(TypedDict):
    resource: str
    alike: int
    different: int
    onlyHere: int
    """
    Number that only this world has.
    """
    onlyThere: int
    """
    Number that only the other world has.
    """


class ComparisonField(TypedDict):
    path: str
    """
    Path in the resource, such as `messages[0].text`.
    """
    here: Any
    """
    Value in that world; null when absent.
    """
    there: Any
    """
    Value in that world; null when absent.
    """


class CompleteRequestAnswers(TypedDict):
    """
    Answers by step and field.
    """

    welcome: NotRequired[dict[str, Any]]
    authentication: NotRequired[dict[str, Any]]
    accountDetails: NotRequired[dict[str, Any]]
    company: NotRequired[dict[str, Any]]
    beneficialOwners: NotRequired[dict[str, Any]]
    kyc: NotRequired[dict[str, Any]]
    transfer: NotRequired[dict[str, Any]]
    bankAccount: NotRequired[dict[str, Any]]
    allocationPlan: NotRequired[dict[str, Any]]
    savingsPlan: NotRequired[dict[str, Any]]
    agreement: NotRequired[dict[str, Any]]
    signing: NotRequired[dict[str, Any]]


class CompleteRequest(TypedDict):
    """
    The customer's answers. Absent answers get suitable defaults.
    """

    answers: NotRequired[CompleteRequestAnswers | None]
    """
    Answers by step and field.
    """


class ConflictBody(TypedDict):
    """
    The error body of a conflict (rule: wire/conflicts).
    """

    error: str
    """
    Always `conflict`.
    """
    error_description: str
    """
    The reason for the conflict.
    """
    current: NotRequired[str]
    """
    Present state of the resource, if the state is the reason.
    """
    allowed: NotRequired[list[str]]
    """
    Actions that this state allows.
    """


class ContactPerson(TypedDict):
    """
    Contact person of an organisation.
    """

    name: str
    phone: str
    email: str


class ContactPersonSetup(TypedDict):
    """
    Contact person of an organisation.
    """

    name: str
    """
    Full name.
    """
    phone: str
    """
    Phone number.
    """
    email: str
    """
    Email address.
    """


class CostSetup(TypedDict):
    """
    What a fund costs, in percent.
    """

    entryFee: NotRequired[Decimal | int | None]
    """
    Fee on a purchase.
    """
    exitFee: NotRequired[Decimal | int | None]
    """
    Fee on a sale.
    """
    ongoingFee: NotRequired[Decimal | int | None]
    """
    Ongoing fee, a year.
    """
    transactionFee: NotRequired[Decimal | int | None]
    """
    Cost of the fund's own trades, a year.
    """
    performanceFee: NotRequired[Decimal | int | None]
    """
    Fee on the fund's gains.
    """


class CoverageTry(TypedDict):
    """
    A request that helps to meet something.
    """

    operation: str
    """
    The operation, as the description of the server calls it.
    """
    method: str
    path: str
    """
    Its path, with names in braces for ids.
    """
    about: str
    """
    What the operation does.
    """
    body: NotRequired[Any]
    """
    The fields that matter here, where particular ones do, with names in braces for ids.
    """


Crn: TypeAlias = str
"""
A company registration number of ten digits.
"""


Currency: TypeAlias = str
"""
A currency code (ISO 4217).
"""


class Custodian(TypedDict):
    """
    An institution that holdings can be transferred from.
    """

    id: str
    name: str


class CustodianSetup(TypedDict):
    """
    An institution that holdings can be transferred from.
    """

    id: str
    """
    Its id.
    """
    name: str
    """
    Its name.
    """


Day: TypeAlias = str
"""
A calendar day, written as its midnight UTC.
"""


class DelayRequest(TypedDict):
    """
    A delay of a fund's prices.
    """

    bankDays: int


class DeliveryMessage(TypedDict):
    """
    A delivery as its receiver gets it.
    """

    method: str
    """
    Always `POST`.
    """
    url: str
    """
    URL of the next attempt, or of the last one.
    """
    headers: dict[str, Any]
    """
    Names in lower case; those of the connection are left out.
    """
    body: str
    """
    The body, to be sent as it is: the signatures are those of its bytes in UTF-8.
    """


DepositType: TypeAlias = Literal["autogiro", "manual"]


class ErrorBody(TypedDict):
    """
    The error body of the partner API.
    """

    error: str
    """
    Kind of error.
    """
    error_description: str
    """
    One sentence for each problem, joined with "; ", each beginning with the path of its field.
    """


ErrorCode: TypeAlias = Literal["USER_ERROR", "AUTH_ERROR", "KYC_ERROR", "TRANSFER_ERROR", "SIGN_ERROR", "OTHER_ERROR"]


class EventLog(TypedDict):
    """
    Events kept of a world, and the number no longer kept (rule: events/events-kept).
    """

    first: int
    """
    Number of the first that is kept.
    """
    kept: int
    limit: int
    """
    Number of events kept at most.
    """
    forgotten: int
    """
    Number that are no longer kept.
    """


class FaultAnswer(TypedDict):
    """
    A status to answer with.
    """

    status: int
    retryAfter: NotRequired[int | None]
    """
    Seconds for the header `retry-after`.
    """


class FaultBundle(TypedDict):
    """
    A named set of fault rules.
    """

    name: str
    about: str
    """
    What the rules simulate.
    """
    rules: int
    """
    Number of rules.
    """


class FaultDelay(TypedDict):
    """
    Delay of an answer.
    """

    ms: int


class FaultMatch(TypedDict):
    """
    What a rule applies to. All given conditions must hold.
    """

    method: NotRequired[str | None]
    """
    Method of the request: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or `OPTIONS`.
    """
    path: NotRequired[str | None]
    """
    Path of the request, or of the receiver, without a query: `*` or `{name}` stands for one segment, `**` for any number of them.
    """
    event: NotRequired[str | None]
    """
    Type of the event that a socket or a delivery sends: `order.update`, `order.*`, `*`; for deliveries also `journey.callback` and `webhook.test`.
    """
    nth: NotRequired[int | None]
    """
    Only the nth match, counted from 1.
    """
    probability: NotRequired[Decimal | int | None]
    """
    Probability that the rule applies, drawn from the world's seed.
    """
    times: NotRequired[int | None]
    """
    How many times the rule applies.
    """


class FaultVerdict(TypedDict):
    """
    Effect of a rule: exactly one of these.
    """

    answer: NotRequired[FaultAnswer | None]
    """
    The server answers with this status instead.
    """
    delay: NotRequired[FaultDelay | None]
    """
    The answer comes late.
    """
    drop: NotRequired[Literal["before", "after"] | None]
    """
    The connection breaks before or after the request is executed.
    """
    sockets: NotRequired[Literal["graceful", "close", "stall", "cutInFrame", "cap"] | None]
    """
    How event sockets close: with `match.event` the socket that is about to send such an event, otherwise all.
    """
    deliveries: NotRequired[Literal["refuse", "fail", "drop", "duplicate", "delay", "reorder", "corruptSignature"] | None]
    """
    What happens to callbacks and webhooks.
    """
    ms: NotRequired[int | None]
    """
    Milliseconds by which `delay` and `reorder` put a delivery off; 5000 when left out.
    """


FeeMode: TypeAlias = Literal["none", "calculated", "withdrawn"]


class FeeTerms(TypedDict):
    basisPoints: int
    mode: FeeMode


class FeeTermsSetup(TypedDict):
    """
    A fee of a client beside the platform's.
    """

    basisPoints: int
    """
    Basis points of the value, a year.
    """
    mode: FeeMode
    """
    What happens to the fee on the day of fees.
    """


FeeType: TypeAlias = Literal["client_fee", "partner_fee", "service_fee"]


class ForkRequest(TypedDict):
    """
    Name of a fork, and the moment it begins from: now when neither `at` nor `input` is given.
    """

    name: NotRequired[str | None]
    """
    Generated when left out.
    """
    at: NotRequired[str | None]
    """
    A timestamp: the fork begins when the world's clock showed this, after everything of that instant.
    """
    input: NotRequired[int | None]
    """
    Number of an input: the fork begins after it.
    """


FundRefType: TypeAlias = Literal["text", "correction", "transfer", "order", "ca", "internal", "external", "gift", "compensations", "inheritance", "dividend", "endowment_101"]


FundTransactionType: TypeAlias = Literal["subscription", "redemption"]


class HappenedKind(TypedDict):
    """
    Number of timers of one kind.
    """

    what: str
    count: int


class Health(TypedDict):
    """
    Health of the process.
    """

    status: str
    """
    `ok` of `/healthz`, `ready` of `/readyz`.
    """


class HistorySetup(TypedDict):
    """
    Accounts with a history before the start: opening, deposits, purchases and sales, drawn from the seed.
    """

    accounts: int
    """
    Number of accounts, distributed over all clients in turn. Times `days` it is at most 1,830,000.
    """
    days: int
    """
    How many days before its start the world begins.
    """


Iban: TypeAlias = str
"""
An IBAN (ISO 13616) without spaces.
"""


Id: TypeAlias = str
"""
A UUID.
"""


InstructionStatus: TypeAlias = Literal["new", "processing", "completed"]


InstructionType: TypeAlias = Literal["autogiro", "bankTransfer"]


InstrumentId: TypeAlias = str
"""
An ISIN followed by a currency code.
"""


class InstrumentSetupDealing(TypedDict):
    """
    Dealing days. Default: `daily`.
    """

    weekly: int


class InstrumentSetupDealing1(TypedDict):
    """
    Dealing days. Default: `daily`.
    """

    monthly: int


Isin: TypeAlias = str
"""
An ISIN (ISO 6166).
"""


class JourneyAutogiro(TypedDict):
    """
    Whether a mandate is asked for.
    """

    enforce: NotRequired[AutogiroEnforce | None]
    """
    `none` when left out.
    """
    forceNewBankAccount: NotRequired[bool | None]
    """
    Whether a new bank account must be connected; false when left out.
    """


class JourneyInstrument(TypedDict):
    """
    A fund.
    """

    instrument: InstrumentId
    """
    The fund.
    """


JourneyKycTexts: TypeAlias = str | list[str]
"""
One text, or a list of them, as given.
"""


class JourneyPaymentAccount(TypedDict):
    """
    Bank account to charge.
    """

    iban: Iban
    """
    Its IBAN.
    """


class JourneyResultBankAccount(TypedDict):
    """
    A bank account, with its present status.
    """

    status: str
    iban: Iban


class JourneyResultPaymentAccount(TypedDict):
    """
    A bank account that is charged.
    """

    iban: Iban


class JourneyResultSubmission(TypedDict):
    """
    Signatures of a legal entity.
    """

    id: Id
    status: str


class JourneyResultTransfer(TypedDict):
    """
    An account at a custodian whose holdings are transferred.
    """

    account: str
    """
    Account number at the institution.
    """
    type: str
    """
    `cash`, or `units` when units move too.
    """


class JourneySavingsPlan(TypedDict):
    """
    Monthly purchases.
    """

    periodicity: Literal["monthly"]
    """
    Always `monthly`.
    """
    instruments: NotRequired[list[JourneyInstrument] | None]
    """
    Funds offered; the client's universe when left out.
    """


JourneyStatus: TypeAlias = Literal["new", "pending", "canceled", "error", "complete", "expired"]


JourneyStep: TypeAlias = Literal["welcome", "authentication", "accountDetails", "company", "beneficialOwners", "kyc", "transfer", "bankAccount", "allocationPlan", "savingsPlan", "agreement", "signing"]


JourneyType: TypeAlias = Literal["createAccount", "createLegalEntityAccount", "addBankAccount", "signWithdrawal", "updateAllocationPlan", "updateSavingsPlan", "signSubmission", "kycRenewal"]


class KeyDocument(TypedDict):
    """
    A key information document.
    """

    language: str
    """
    ISO 639-1.
    """
    url: str


class KeyDocumentSetup(TypedDict):
    """
    A key document.
    """

    language: str
    """
    Two letters.
    """
    url: str
    """
    Address of the document.
    """


KycStatus: TypeAlias = Literal["valid", "expiring", "expired", "pending"]


class LoggedBody(TypedDict):
    """
    A body, within bounds and without secrets.
    """

    length: int
    json: NotRequired[Any]
    """
    The whole body, if it is JSON.
    """
    text: NotRequired[str]
    """
    The beginning of the body, otherwise.
    """
    isWhole: NotRequired[bool]
    """
    Whether the body is complete here.
    """


class MandateAdviceRequest(TypedDict):
    """
    The bank's answer on a mandate.
    """

    code: str
    """
    The scheme's code.
    """


MandateStatus: TypeAlias = Literal["missing", "invalid", "pending", "active"]


class Met(TypedDict):
    """
    Something that was met.
    """

    of: str
    """
    As in what was never met.
    """
    what: str
    count: int
    """
    How often.
    """
    about: NotRequired[str]
    """
    More about it: what a code means, or by which ways an event was sent.
    """


MobilePaymentErrorCode: TypeAlias = Literal["DECLINED", "CANCELLED", "RF07", "BANKIDCL", "BANKIDONGOING", "BANKIDUNKN", "FF10", "TM01", "DS24"]


class MobilePaymentFailure(TypedDict):
    """
    A mobile payment fails.
    """

    errorCode: Literal["RF07", "BANKIDCL", "BANKIDONGOING", "BANKIDUNKN", "FF10", "TM01", "DS24"]


class MobilePaymentSession(TypedDict):
    """
    A new mobile payment session.
    """

    id: Id
    token: str
    """
    Token that opens the payer's app.
    """
    qrImage: NotRequired[str]
    """
    The token as a QR code, as a data address; with `other_device` only.
    """
    paymentId: str
    """
    Id of the payment. The deposit refers to it.
    """


MobilePaymentStatus: TypeAlias = Literal["pending", "paid", "error"]
"""
Whether the payment is paid. A failed session stays `pending` with an `errorCode`; it is `error` if the world's `exposeMobilePaymentError` is on.
"""


MobilePaymentType: TypeAlias = Literal["same_device", "other_device"]


Money: TypeAlias = Decimal
"""
An amount of money with two decimals.
"""


class NameRequest(TypedDict):
    """
    Name of a snapshot.
    """

    name: NotRequired[str | None]
    """
    Generated when left out.
    """


NeverMet = TypedDict(
    "NeverMet",
    {
        "of": str,
        "what": str,
        "about": NotRequired[str],
        "try": list[CoverageTry],
    },
)


Number: TypeAlias = Decimal | int
"""
A decimal number, without exponent.
"""


Ocr: TypeAlias = str
"""
OCR reference of a payment: 2 to 25 digits, the last a check digit, the one before it the last of their number.
"""


OrderStatus: TypeAlias = Literal["received", "pending", "sent", "confirmed", "settled", "hold", "canceled"]
"""
Status of an order. `confirmed` appears only if the world's `exposeConfirmed` is on.
"""


OrderType: TypeAlias = Literal["subscription", "redemption"]


Output: TypeAlias = Literal["cash", "units", "ignore"]


OwnerType: TypeAlias = Literal["natural_person", "legal_entity"]


class PayerRefusal(TypedDict):
    """
    Refusal of the mobile payments into an account.
    """

    errorCode: NotRequired[Literal["ACMT03", "ACMT07", "BE18", "RP06"] | None]
    """
    Reason of the refusal; when left out, refusals end.
    """


class PaymentFailure(TypedDict):
    """
    A charge is refused.
    """

    reasonCode: Literal["2", "03", "12", "24"]
    """
    The scheme's code.
    """


class PaymentRequest(TypedDict):
    """
    One payment.
    """

    account: Id
    amount: Money
    clientRef: str
    """
    Your own reference, never used before for this client.
    """


PaymentStatus: TypeAlias = Literal["new", "completed"]


class PerformanceEntry(TypedDict):
    """
    Return of one calendar day.
    """

    date: CalendarDate
    dayReturn: Number
    """
    The day's return, with flows at the end of the day: 0.01 is 1 %.
    """
    dayResult: Money
    """
    Result of the day, in SEK.
    """
    cumulativeReturn: Number
    """
    The returns chained from the first entry shown.
    """


Periodicity: TypeAlias = Literal["monthly", "once"]


class PictureParameter(TypedDict):
    """
    What a picture is asked with.
    """

    name: str
    required: bool
    """
    Whether there is no picture without it.
    """


class PictureShown(TypedDict):
    """
    A picture that a world has.
    """

    name: str
    """
    Its name in the path.
    """
    title: str
    answers: str
    """
    The question that it answers.
    """
    parameters: list[PictureParameter]
    """
    Its query parameters, besides `format` and `width`.
    """


class PlanRun(TypedDict):
    """
    Result of a plan's last run (rule: plans/last-run).
    """

    date: CalendarDate
    """
    The local day of the run.
    """
    status: str
    """
    `done`, `partly` or `skipped`.
    """
    reasons: list[str]
    """
    Why parts of the run were skipped: one sentence for each fund or cause.
    """


class PlatformLine(TypedDict):
    account: str
    debit: Money
    credit: Money
    balance: Money


class Position(TypedDict):
    """
    An account's holding in one instrument.
    """

    instrument: InstrumentId
    units: Number
    """
    Settled units plus and minus pending units.
    """
    unitsSettled: Number
    value: Money | None
    closePrice: Number | None
    gav: Number
    """
    Average acquisition value of a unit.
    """


class PositionSetup(TypedDict):
    """
    Units of a fund.
    """

    instrument: InstrumentId
    """
    The fund.
    """
    units: Number
    """
    Number of units.
    """


class PriceRequest(TypedDict):
    """
    A price of a fund.
    """

    closePrice: Number
    priceDate: NotRequired[CalendarDate | None]
    """
    Day of the price; the last possible day when left out.
    """


class PutOff(TypedDict):
    """
    A delay by a fault rule.
    """

    by: str
    """
    `delay` or `reorder`.
    """
    ms: int
    """
    Milliseconds of the delay.
    """


QrFormat: TypeAlias = Literal["png", "jpg", "svg"]


class RateSetup(TypedDict):
    """
    First rate of a currency.
    """

    currency: Currency
    """
    The currency.
    """
    rate: Decimal | int
    """
    SEK for one unit of the currency.
    """
    volatilityBp: NotRequired[int | None]
    """
    How much a price moves on a usual day, in hundredths of a percent. Default: 40.
    """


class RecordingKept(TypedDict):
    """
    Extent of a recording.
    """

    requests: int
    """
    Number of recorded requests, from the start of the world.
    """
    missing: int
    """
    Number of later requests that did not fit into the recording.
    """


class RefundRequest(TypedDict):
    """
    The payer demands a refund of a charge.
    """

    unauthorised: NotRequired[bool | None]
    """
    Whether the payer denies having authorised the charge.
    """


class RewindRequest(TypedDict):
    """
    Where to rewind a world to: exactly one of `to` and `input`.
    """

    to: NotRequired[str | None]
    """
    A timestamp that its clock has shown.
    """
    input: NotRequired[int | None]
    """
    Number of an input.
    """


class RotateRequest(TypedDict):
    """
    Another secret for a webhook.
    """

    secret: NotRequired[str | None]
    """
    `whsec_` and 24 to 64 bytes in base64; drawn when left out.
    """
    overlapSeconds: NotRequired[int | None]
    """
    Seconds for which the previous secret also signs; 86400 when left out.
    """


class Saving(TypedDict):
    """
    Monthly amount for one fund.
    """

    instrument: InstrumentId
    amount: Money
    """
    SEK.
    """


ScreeningHit: TypeAlias = Literal["pep", "sanctions", "clear"]


ServiceType: TypeAlias = Literal["portfolioManagement", "investmentAdvise", "executionOnly"]


SettingsDeliveryWaitsSecond: TypeAlias = int


class SettingsWorld(TypedDict):
    acceptanceDelayMs: int
    """
    From `received` to the first check
    """
    routingDelayMs: int
    """
    From the cut-off to the answer of the routing intermediary
    """
    confirmationDelayMs: int
    """
    From the publication of a price to the confirmation
    """
    latePostingDelayMs: int
    """
    From the publication of a late price to the posting
    """
    holdAbove: Decimal | int
    """
    Orders above this go to `hold`
    """
    holdBankDays: int
    """
    Bank days on hold after which an order is canceled
    """
    strictIdentifiers: bool
    """
    Whether organisation numbers must pass Luhn
    """
    kycYears: int
    """
    Years for which KYC answers are valid
    """
    exposeConfirmed: bool
    """
    Whether an order whose price is known shows as `confirmed` until it settles
    """
    distributionFeeBp: int
    """
    Distribution fee in basis points of the value a year
    """
    insuranceFeeBp: int
    """
    The insurer's fee in basis points a year
    """
    riskPremiumBp: int
    """
    Risk premium of an insurer for persons of 65 years or more, in basis points a year.
    """
    governmentLoanRateBp: int
    """
    The government loan rate of 30 November in basis points, by which insurers are taxed.
    """
    insuranceTaxPercent: int
    """
    Percent of the yield of an insurance that is tax.
    """
    smallestForcedSale: Decimal | int
    """
    Smallest lack of cash for charges, in SEK, for which units are sold
    """
    fxFee: Decimal | int
    """
    Currency exchange fee, in percent of an order in a fund of another currency
    """
    kycHighRiskYears: int
    """
    Years for which KYC answers of a politically exposed person are valid.
    """
    kycExpiringDays: int
    """
    Days before the expiry date from which KYC is `expiring`.
    """
    journeyLifeMs: int
    """
    Lifetime of a journey's link
    """
    longJourneyDays: int
    """
    Lifetime of the link of a journey with several signatories: days, until 09:00 local time.
    """
    httpsCallbacksOnly: bool
    """
    Whether callbacks must be https, as in production
    """
    approvalDelayMs: int
    """
    From `pending` to the approval of an account
    """
    confirmDays: int
    """
    Days for which an account waits in `confirm`, until 09:00 local time.
    """
    accountCheckDelayMs: int
    """
    From the connection of a bank account to the result of its check
    """
    mandateBankDays: int
    """
    Bank days until a bank answers on a mandate, at 08:00 local
    """
    mandateSilenceBankDays: int
    """
    Bank days until a mandate without an answer is removed.
    """
    transferSendBankDays: int
    """
    Bank days until a transfer is sent, at 09:00 local
    """
    transferAcceptBankDays: int
    """
    Bank days from there to the answer of the ceding custodian.
    """
    transferCompleteBankDays: int
    """
    Bank days from there to the delivery.
    """
    withdrawalGrantMs: int
    """
    How long after signing a withdrawal may be requested
    """
    resultAccountId: bool
    """
    Whether a journey's result has the id of the account that it opened
    """
    autoPay: bool
    """
    Whether mobile payments are paid automatically.
    """
    magicAmounts: bool
    """
    Whether the ore of an amount determines the outcome of a mobile payment.
    """
    mobilePaymentAnswerDelayMs: int
    """
    From the request for a mobile payment to its automatic outcome.
    """
    mobilePaymentLifeMs: int
    """
    How long a mobile payment waits for the payer
    """
    mobilePaymentLateDelayMs: int
    """
    From an unknown outcome to the banks' late answer.
    """
    exposeMobilePaymentError: bool
    """
    Whether a mobile payment that has failed shows as `error`
    """


class Settings(TypedDict):
    heartbeatSeconds: int
    """
    Seconds between two heartbeats on a socket.
    """
    socketCapSeconds: int
    """
    Lifetime of a socket in seconds.
    """
    socketStallSeconds: int
    """
    Seconds after which a socket whose client reads nothing is closed.
    """
    tokenLifeSeconds: int
    """
    Lifetime of an access token in seconds.
    """
    virtualTransport: bool
    """
    Whether tokens and sockets go by the world's clock instead of transport time.
    """
    operatorMarket: bool
    """
    Whether only the operator may use levers that act on the whole world (funds, screening, deaths)
    """
    eventsKept: int
    """
    Number of events kept.
    """
    inputsKept: int
    """
    Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before them.
    """
    requestsKept: int
    """
    Number of requests kept for each partner.
    """
    requestBodyBytes: int
    """
    Bytes kept of each body, of requests and of their answers; 0 keeps none.
    """
    requestBodiesBytes: int
    """
    Bytes kept of all bodies of each partner; the oldest go first.
    """
    recordingBytes: int
    """
    Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none.
    """
    socketsPerClient: int
    """
    Open sockets for one client at the same time.
    """
    socketsPerPartner: int
    """
    Open sockets for one partner at the same time.
    """
    tokensPerPartner: int
    """
    Valid access tokens for one partner at the same time. The oldest token expires first.
    """
    strictBodies: bool
    """
    Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them.
    """
    unknownResourceStatus: Literal[400, 403, 404]
    """
    Status of the answer to an unknown id.
    """
    deliveryWaitsSeconds: list[SettingsDeliveryWaitsSecond]
    allowlist: list[str]
    partnersMay: list[Literal["drop", "reset", "rewind", "restore", "clock", "advance", "settings", "snapshots"]]
    """
    Actions on the whole world that partners sharing it may take. Only the operator may change this.
    """
    permissions: dict[str, Any]
    clients: dict[str, Any]
    world: SettingsWorld


SettingsPatchDeliveryWaitsSecond: TypeAlias = int


SetupFileSettingsDeliveryWaitsSecond: TypeAlias = int


class SetupFileSettings(TypedDict):
    """
    Settings of the world and of its API. Each has a default.
    """

    acceptanceDelayMs: NotRequired[int]
    """
    From `received` to the first check
    """
    routingDelayMs: NotRequired[int]
    """
    From the cut-off to the answer of the routing intermediary
    """
    confirmationDelayMs: NotRequired[int]
    """
    From the publication of a price to the confirmation
    """
    latePostingDelayMs: NotRequired[int]
    """
    From the publication of a late price to the posting
    """
    holdAbove: NotRequired[Decimal | int]
    """
    Orders above this go to `hold`
    """
    holdBankDays: NotRequired[int]
    """
    Bank days on hold after which an order is canceled
    """
    strictIdentifiers: NotRequired[bool]
    """
    Whether organisation numbers must pass Luhn
    """
    kycYears: NotRequired[int]
    """
    Years for which KYC answers are valid
    """
    exposeConfirmed: NotRequired[bool]
    """
    Whether an order whose price is known shows as `confirmed` until it settles
    """
    distributionFeeBp: NotRequired[int]
    """
    Distribution fee in basis points of the value a year
    """
    insuranceFeeBp: NotRequired[int]
    """
    The insurer's fee in basis points a year
    """
    riskPremiumBp: NotRequired[int]
    """
    Risk premium of an insurer for persons of 65 years or more, in basis points a year.
    """
    governmentLoanRateBp: NotRequired[int]
    """
    The government loan rate of 30 November in basis points, by which insurers are taxed.
    """
    insuranceTaxPercent: NotRequired[int]
    """
    Percent of the yield of an insurance that is tax.
    """
    smallestForcedSale: NotRequired[Decimal | int]
    """
    Smallest lack of cash for charges, in SEK, for which units are sold
    """
    fxFee: NotRequired[Decimal | int]
    """
    Currency exchange fee, in percent of an order in a fund of another currency
    """
    kycHighRiskYears: NotRequired[int]
    """
    Years for which KYC answers of a politically exposed person are valid.
    """
    kycExpiringDays: NotRequired[int]
    """
    Days before the expiry date from which KYC is `expiring`.
    """
    journeyLifeMs: NotRequired[int]
    """
    Lifetime of a journey's link
    """
    longJourneyDays: NotRequired[int]
    """
    Lifetime of the link of a journey with several signatories: days, until 09:00 local time.
    """
    httpsCallbacksOnly: NotRequired[bool]
    """
    Whether callbacks must be https, as in production
    """
    approvalDelayMs: NotRequired[int]
    """
    From `pending` to the approval of an account
    """
    confirmDays: NotRequired[int]
    """
    Days for which an account waits in `confirm`, until 09:00 local time.
    """
    accountCheckDelayMs: NotRequired[int]
    """
    From the connection of a bank account to the result of its check
    """
    mandateBankDays: NotRequired[int]
    """
    Bank days until a bank answers on a mandate, at 08:00 local
    """
    mandateSilenceBankDays: NotRequired[int]
    """
    Bank days until a mandate without an answer is removed.
    """
    transferSendBankDays: NotRequired[int]
    """
    Bank days until a transfer is sent, at 09:00 local
    """
    transferAcceptBankDays: NotRequired[int]
    """
    Bank days from there to the answer of the ceding custodian.
    """
    transferCompleteBankDays: NotRequired[int]
    """
    Bank days from there to the delivery.
    """
    withdrawalGrantMs: NotRequired[int]
    """
    How long after signing a withdrawal may be requested
    """
    resultAccountId: NotRequired[bool]
    """
    Whether a journey's result has the id of the account that it opened
    """
    autoPay: NotRequired[bool]
    """
    Whether mobile payments are paid automatically.
    """
    magicAmounts: NotRequired[bool]
    """
    Whether the ore of an amount determines the outcome of a mobile payment.
    """
    mobilePaymentAnswerDelayMs: NotRequired[int]
    """
    From the request for a mobile payment to its automatic outcome.
    """
    mobilePaymentLifeMs: NotRequired[int]
    """
    How long a mobile payment waits for the payer
    """
    mobilePaymentLateDelayMs: NotRequired[int]
    """
    From an unknown outcome to the banks' late answer.
    """
    exposeMobilePaymentError: NotRequired[bool]
    """
    Whether a mobile payment that has failed shows as `error`
    """
    heartbeatSeconds: NotRequired[int]
    """
    Seconds between two heartbeats on a socket.
    """
    socketCapSeconds: NotRequired[int]
    """
    Lifetime of a socket in seconds.
    """
    socketStallSeconds: NotRequired[int]
    """
    Seconds after which a socket whose client reads nothing is closed.
    """
    tokenLifeSeconds: NotRequired[int]
    """
    Lifetime of an access token in seconds.
    """
    virtualTransport: NotRequired[bool]
    """
    Whether tokens and sockets go by the world's clock instead of transport time.
    """
    operatorMarket: NotRequired[bool]
    """
    Whether only the operator may use levers that act on the whole world (funds, screening, deaths)
    """
    eventsKept: NotRequired[int]
    """
    Number of events kept.
    """
    inputsKept: NotRequired[int]
    """
    Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before them.
    """
    requestsKept: NotRequired[int]
    """
    Number of requests kept for each partner.
    """
    requestBodyBytes: NotRequired[int]
    """
    Bytes kept of each body, of requests and of their answers; 0 keeps none.
    """
    requestBodiesBytes: NotRequired[int]
    """
    Bytes kept of all bodies of each partner; the oldest go first.
    """
    recordingBytes: NotRequired[int]
    """
    Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none.
    """
    socketsPerClient: NotRequired[int]
    """
    Open sockets for one client at the same time.
    """
    socketsPerPartner: NotRequired[int]
    """
    Open sockets for one partner at the same time.
    """
    tokensPerPartner: NotRequired[int]
    """
    Valid access tokens for one partner at the same time. The oldest token expires first.
    """
    strictBodies: NotRequired[bool]
    """
    Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them.
    """
    unknownResourceStatus: NotRequired[Literal[400, 403, 404]]
    """
    Status of the answer to an unknown id.
    """
    deliveryWaitsSeconds: NotRequired[list[SetupFileSettingsDeliveryWaitsSecond]]
    allowlist: NotRequired[list[str]]
    partnersMay: NotRequired[list[Literal["drop", "reset", "rewind", "restore", "clock", "advance", "settings", "snapshots"]]]
    """
    Actions on the whole world that partners sharing it may take. Only the operator may change this.
    """


SignOutcome: TypeAlias = Literal["sign", "abort", "fail", "refuse"]


class SocketsClosed(TypedDict):
    """
    How many sockets were closed.
    """

    closed: int


SortedId: TypeAlias = str
"""
Position in listings: a ULID, increasing with creation.
"""


class SplitRequest(TypedDict):
    """
    A split of a fund.
    """

    factor: Number
    """
    New units for each unit.
    """


Ssn: TypeAlias = str
"""
A personal or coordination number of twelve digits.
"""


class StepField(TypedDict):
    """
    One field of a step.
    """

    name: str
    """
    Its name among the answers of the step.
    """
    subject: NotRequired[str]
    """
    Subject of the question, such as a fund.
    """
    kind: str
    """
    Type of the answer.
    """
    choices: NotRequired[list[str]]
    values: list[str]
    """
    Present answers.
    """
    readOnly: bool
    required: bool
    suggestion: list[str]
    """
    Answer that the `complete` lever gives.
    """


Timestamp: TypeAlias = str
"""
A moment in UTC with milliseconds.
"""


class Token(TypedDict):
    """
    An access token.
    """

    access_token: str
    token_type: str
    """
    Always `bearer`.
    """
    expires_in: int
    """
    Seconds for which the token is valid.
    """
    state: NotRequired[str]
    """
    As sent.
    """


class TokenError(TypedDict):
    """
    Why no token was issued.
    """

    error: str
    """
    One of `invalid_request`, `invalid_client`, `unsupported_grant_type`, `unauthorized_client`, `invalid_scope`.
    """
    error_description: NotRequired[str]


class TokenRequest(TypedDict):
    """
    Client credentials grant. HTTP Basic may carry the credentials instead of the body.
    """

    grant_type: str
    """
    Always `client_credentials`.
    """
    client_id: NotRequired[str]
    client_secret: NotRequired[str]
    scope: NotRequired[str]
    """
    Rights such as `account:read`, separated by commas or spaces; all rights when left out.
    """
    state: NotRequired[str]
    """
    Echoed in the answer.
    """


class TradingRequest(TypedDict):
    """
    Whether a fund can be bought, sold or traded at all: at least one of the three. Absent fields stay unchanged.
    """

    isBuyable: NotRequired[bool | None]
    isSellable: NotRequired[bool | None]
    isTradable: NotRequired[bool | None]


TransferEnforce: TypeAlias = Literal["required", "optional"]


TransferStatus: TypeAlias = Literal["new", "sent", "accepted", "completed", "rejected", "canceled"]


class UnitBookingRequest(TypedDict):
    """
    Units that are booked on an account.
    """

    transactionType: FundTransactionType
    refType: FundRefType
    instrument: InstrumentId
    units: Number
    cost: NotRequired[Money | None]
    """
    Cost of the units.
    """
    text: NotRequired[str | None]
    """
    Text of the transaction.
    """


class Webhook(TypedDict):
    """
    A webhook.
    """

    id: Id
    client: Id
    url: str
    secret: str
    """
    Secret that signs deliveries. Only the operator and the caller who registers the webhook see all of it.
    """
    events: list[str] | None
    """
    Event types; null for all.
    """
    enabled: bool
    """
    Whether it receives events.
    """
    disabledSince: Timestamp | None
    previousSecretUntil: Timestamp | None


class WebhookPatch(TypedDict):
    """
    Changes to a webhook. Absent fields stay unchanged.
    """

    url: NotRequired[str | None]
    """
    An http or https URL, or `listen:`.
    """
    events: NotRequired[list[str] | None]
    """
    Event types by name, or all of a noun, such as `order.*`; null means all.
    """
    enabled: NotRequired[bool | None]
    """
    Whether it receives events. A webhook that has answered 410 is disabled until it is enabled again.
    """


class WebhookRequest(TypedDict):
    """
    A webhook to register.
    """

    client: Id
    """
    Client whose events it receives.
    """
    url: str
    """
    An http or https URL, or `listen:` where `fundsim listen` fetches what is sent.
    """
    secret: NotRequired[str | None]
    """
    `whsec_` and 24 to 64 bytes in base64; drawn when left out.
    """
    events: NotRequired[list[str] | None]
    """
    Event types by name, or all of a noun, such as `order.*`; all when left out.
    """


WelcomeScreen: TypeAlias = Literal["transfer"]


class WhyBooking(TypedDict):
    """
    A booking in the ledger: cash from one account to another, or units in or out of one.
    """

    transaction: Id
    debit: str | None
    """
    Who pays: the id of an account, or the platform's account as the books call it; null where units come from a fund.
    """
    credit: str | None
    """
    Who receives; null where units go to a fund.
    """
    amount: NotRequired[Money]
    """
    SEK, of cash.
    """
    instrument: NotRequired[str]
    """
    The fund, of units.
    """
    units: NotRequired[Number]
    price: NotRequired[Number]
    """
    What one unit was worth, once that is known.
    """
    state: str
    """
    `pending`, `settled` or `aborted`.
    """


class WhyCure(TypedDict):
    """
    Something that helps.
    """

    says: str
    """
    What it does.
    """
    operation: str | None
    """
    The operation, as the description of the server calls it; null where a person does it on the hosted pages.
    """


class WhyDelivery(TypedDict):
    id: Id
    status: str
    """
    `queued`, `delivered`, `refused` or `deadLetter`.
    """
    url: str
    queued: Timestamp
    attemptsMade: int
    fault: NotRequired[str]
    """
    What a fault rule did to it last, such as `drop` or `delay`.
    """


class WhyExplanation(TypedDict):
    """
    One reason why something is in its state.
    """

    reason: str
    """
    What kind of reason it is.
    """
    about: Id
    """
    What is in the state: the resource, or something of it, such as a bank account of an account.
    """
    says: str
    """
    The reason in words.
    """
    until: Timestamp | None
    then: str | None
    """
    Effect of the rule.
    """
    cures: list[WhyCure]
    """
    What helps.
    """


class WhyField(TypedDict):
    """
    A field of what changed, but for its status and the instant of the change.
    """

    path: str
    """
    Its path in the resource, such as `positions[0].units`.
    """
    before: Any
    """
    Null when it was not there.
    """
    after: Any
    """
    Null when it is not there any more.
    """


WhyMove = TypedDict(
    "WhyMove",
    {
        "table": str,
        "from": str,
        "on": str,
        "to": str,
        "effect": str,
    },
)


class WhyRequestLogged(TypedDict):
    at: Timestamp
    method: str
    path: str
    """
    Path and query, without secrets.
    """
    status: int | None
    """
    Status of the answer; null if the connection was dropped.
    """


class WithdrawalLimit(TypedDict):
    """
    How much may be taken out of an account; both limits are allowed.
    """

    min: Money
    """
    The least that a withdrawal may be.
    """
    max: Money
    """
    The most; less than `min` when nothing can be taken out.
    """
    currency: Currency
    """
    Always the account's currency.
    """


WithdrawalType: TypeAlias = Literal["amount", "full"]


class WorldClient(TypedDict):
    id: Id
    name: str


class WorldFailure(TypedDict):
    """
    How a world failed: a fault of this program.
    """

    at: Timestamp
    message: str
    command: str | None


class WorldPartner(TypedDict):
    """
    A partner of a world.
    """

    name: str
    clientId: Id
    """
    For the token endpoint.
    """
    clientSecret: NotRequired[str]
    """
    In full to the operator, and to the caller who makes, forks or resets a world; by its beginning to others who may read
    it. Left out where the setup named it and the world came from a snapshot file, which keeps no secret.
    """
    callbackSecret: NotRequired[str]
    """
    Signs callbacks of journeys.
    """
    clients: list[WorldClient]


class WorldSettingsPatch(TypedDict):
    """
    What a world decides by; what is left out stays.
    """

    acceptanceDelayMs: NotRequired[int | None]
    """
    From `received` to the first check (rule: orders/acceptance).
    """
    routingDelayMs: NotRequired[int | None]
    """
    From the cut-off to the answer of the routing intermediary (rule: orders/aggregation).
    """
    confirmationDelayMs: NotRequired[int | None]
    """
    From the publication of a price to the confirmation (rule: orders/confirmed-is-inside-sent).
    """
    latePostingDelayMs: NotRequired[int | None]
    """
    From the publication of a late price to the posting (rule: calendar/settlement-day).
    """
    holdAbove: NotRequired[Decimal | int | None]
    """
    Orders above this go to `hold` (rule: orders/hold-reasons).
    """
    holdBankDays: NotRequired[int | None]
    """
    Bank days on hold after which an order is canceled (rule: orders/hold-lapses).
    """
    strictIdentifiers: NotRequired[bool | None]
    """
    Whether organisation numbers must pass Luhn (rule: money/organisation-number).
    """
    kycYears: NotRequired[int | None]
    """
    Years for which KYC answers are valid (rule: accounts/kyc-renewal).
    """
    exposeConfirmed: NotRequired[bool | None]
    """
    Whether an order whose price is known shows as `confirmed` until it settles (rule: orders/confirmed-is-inside-sent).
    """
    distributionFeeBp: NotRequired[int | None]
    """
    Distribution fee in basis points of the value a year (rule: fees/distribution-fee).
    """
    insuranceFeeBp: NotRequired[int | None]
    """
    The insurer's fee in basis points a year (rule: fees/insurance-charges).
    """
    riskPremiumBp: NotRequired[int | None]
    """
    Risk premium of an insurer for persons of 65 years or more, in basis points a year.
    """
    governmentLoanRateBp: NotRequired[int | None]
    """
    The government loan rate of 30 November in basis points, by which insurers are taxed.
    """
    insuranceTaxPercent: NotRequired[int | None]
    """
    Percent of the yield of an insurance that is tax.
    """
    smallestForcedSale: NotRequired[Decimal | int | None]
    """
    Smallest lack of cash for charges, in SEK, for which units are sold (rule: fees/smallest-forced-sale).
    """
    fxFee: NotRequired[Decimal | int | None]
    """
    Currency exchange fee, in percent of an order in a fund of another currency (rule: fees/currency-fee).
    """
    kycHighRiskYears: NotRequired[int | None]
    """
    Years for which KYC answers of a politically exposed person are valid.
    """
    kycExpiringDays: NotRequired[int | None]
    """
    Days before the expiry date from which KYC is `expiring`.
    """
    journeyLifeMs: NotRequired[int | None]
    """
    Lifetime of a journey's link (rule: journeys/journey-life).
    """
    longJourneyDays: NotRequired[int | None]
    """
    Lifetime of the link of a journey with several signatories: days, until 09:00 local time.
    """
    httpsCallbacksOnly: NotRequired[bool | None]
    """
    Whether callbacks must be https, as in production (rule: journeys/callback-url).
    """
    approvalDelayMs: NotRequired[int | None]
    """
    From `pending` to the approval of an account (rule: accounts/approval).
    """
    confirmDays: NotRequired[int | None]
    """
    Days for which an account waits in `confirm`, until 09:00 local time.
    """
    accountCheckDelayMs: NotRequired[int | None]
    """
    From the connection of a bank account to the result of its check (rule: bank/bank-account-check).
    """
    mandateBankDays: NotRequired[int | None]
    """
    Bank days until a bank answers on a mandate, at 08:00 local (rule: bank/mandate-answer).
    """
    mandateSilenceBankDays: NotRequired[int | None]
    """
    Bank days until a mandate without an answer is removed.
    """
    transferSendBankDays: NotRequired[int | None]
    """
    Bank days until a transfer is sent, at 09:00 local (rule: securities/transfer-timing).
    """
    transferAcceptBankDays: NotRequired[int | None]
    """
    Bank days from there to the answer of the ceding custodian.
    """
    transferCompleteBankDays: NotRequired[int | None]
    """
    Bank days from there to the delivery.
    """
    withdrawalGrantMs: NotRequired[int | None]
    """
    How long after signing a withdrawal may be requested (rule: journeys/sign-withdrawal).
    """
    resultAccountId: NotRequired[bool | None]
    """
    Whether a journey's result has the id of the account that it opened (rule: journeys/result-account-id).
    """
    autoPay: NotRequired[bool | None]
    """
    Whether mobile payments are paid automatically.
    """
    magicAmounts: NotRequired[bool | None]
    """
    Whether the ore of an amount determines the outcome of a mobile payment.
    """
    mobilePaymentAnswerDelayMs: NotRequired[int | None]
    """
    From the request for a mobile payment to its automatic outcome.
    """
    mobilePaymentLifeMs: NotRequired[int | None]
    """
    How long a mobile payment waits for the payer (rule: payments/mobile-payment-states).
    """
    mobilePaymentLateDelayMs: NotRequired[int | None]
    """
    From an unknown outcome to the banks' late answer.
    """
    exposeMobilePaymentError: NotRequired[bool | None]
    """
    Whether a mobile payment that has failed shows as `error` (rule: payments/mobile-payment-states).
    """


class CallbackError(TypedDict):
    """
    Why it was canceled or failed.
    """

    code: str
    journeyType: str


class InstrumentsReloaded(TypedDict):
    """
    Funds whose terms have changed, to be read again.
    """

    instruments: list[InstrumentId]
    reloadedDate: Timestamp


class SubscriptionOrder(TypedDict):
    """
    An order that buys for an amount.
    """

    id: Id
    sortedId: SortedId
    orderType: Literal["subscription"]
    status: OrderStatus
    account: Id
    clientId: Id
    clientRef: NotRequired[str]
    """
    The partner's own reference, copied to the order's transactions.
    """
    executorRef: NotRequired[Ssn]
    """
    Who gave the order.
    """
    instrument: InstrumentId
    amount: Money
    """
    Ordered amount of a subscription; a redemption's is filled when its price is known.
    """
    units: NotRequired[Number]
    """
    Ordered units of a redemption; a subscription's are filled when its price is known.
    """
    createdDate: Timestamp
    modifiedDate: Timestamp
    canceledDate: NotRequired[Timestamp]


class RedemptionOrder(TypedDict):
    """
    An order that sells units.
    """

    id: Id
    sortedId: SortedId
    orderType: Literal["redemption"]
    status: OrderStatus
    account: Id
    clientId: Id
    clientRef: NotRequired[str]
    """
    The partner's own reference, copied to the order's transactions.
    """
    executorRef: NotRequired[Ssn]
    """
    Who gave the order.
    """
    instrument: InstrumentId
    amount: NotRequired[Money]
    """
    Ordered amount of a subscription; a redemption's is filled when its price is known.
    """
    units: Number
    """
    Ordered units of a redemption; a subscription's are filled when its price is known.
    """
    createdDate: Timestamp
    modifiedDate: Timestamp
    canceledDate: NotRequired[Timestamp]


class SubscriptionRequest(TypedDict):
    """
    Buys for an amount.
    """

    account: Id
    orderType: Literal["subscription"]
    instrument: InstrumentId
    amount: Money
    """
    Required on a subscription, forbidden on a redemption.
    """
    clientRef: NotRequired[str | None]
    """
    Your own reference.
    """
    executorRef: NotRequired[Ssn | None]
    """
    The owner, or a signatory of the owner.
    """


class RedemptionRequest(TypedDict):
    """
    Sells units.
    """

    account: Id
    orderType: Literal["redemption"]
    instrument: InstrumentId
    units: Number
    """
    Required on a redemption, forbidden on a subscription.
    """
    clientRef: NotRequired[str | None]
    """
    Your own reference.
    """
    executorRef: NotRequired[Ssn | None]
    """
    The owner, or a signatory of the owner.
    """


class AddBankAccountConfiguration(TypedDict):
    """
    Configuration of a `addBankAccount` journey.
    """

    journeyType: Literal["addBankAccount"]
    """
    What kind of journey it is.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    account: Id
    """
    The account that the journey is about.
    """
    autogiro: NotRequired[JourneyAutogiro | None]
    """
    Whether a mandate is asked for.
    """


class SignWithdrawalConfiguration(TypedDict):
    """
    Configuration of a `signWithdrawal` journey.
    """

    journeyType: Literal["signWithdrawal"]
    """
    What kind of journey it is.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    account: Id
    """
    The account that the journey is about.
    """


class UpdateSavingsPlanConfiguration(TypedDict):
    """
    Configuration of a `updateSavingsPlan` journey.
    """

    journeyType: Literal["updateSavingsPlan"]
    """
    What kind of journey it is.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    account: Id
    """
    The account that the journey is about.
    """
    instruments: NotRequired[list[JourneyInstrument] | None]
    """
    Funds the owner wants to buy, offered in the plans.
    """
    paymentAccount: NotRequired[JourneyPaymentAccount | None]
    """
    The bank account to charge.
    """
    savingsPlan: JourneySavingsPlan
    """
    What is bought every month; null hides the step of a journey that does not require it.
    """


class SignSubmissionConfiguration(TypedDict):
    """
    Configuration of a `signSubmission` journey.
    """

    journeyType: Literal["signSubmission"]
    """
    What kind of journey it is.
    """
    ssn: Ssn
    """
    Who signs.
    """
    submission: Id
    """
    The submission that is signed, or that made the account.
    """


class AccountValue(TypedDict):
    """
    Total market value of an account.
    """

    value: Money
    """
    Cash, settled positions at last price, and subscriptions on their way.
    """
    currency: Currency
    """
    Always the account's currency.
    """


class AccruedRetrocession(TypedDict):
    quarter: str
    instrument: InstrumentId
    accrued: Number


class AdvanceRequest(TypedDict):
    """
    How far to advance: exactly one of `by`, `to` and `until`.
    """

    by: NotRequired[str | None]
    """
    A period of ISO 8601, such as `P1D` or `PT90M`, or bank days, such as `3 bank days`.
    """
    to: NotRequired[str | None]
    """
    A timestamp, not before now.
    """
    until: NotRequired[str | None]
    """
    `next`, `cutOff`, `settlement` or `booking`.
    """
    instrument: NotRequired[InstrumentId | None]
    """
    With `cutOff` and `settlement`.
    """
    order: NotRequired[Id | None]
    """
    With `cutOff` and `settlement`: that of the order.
    """
    account: NotRequired[Id | None]
    """
    With `booking`, which is the next one on it.
    """
    of: NotRequired[str | None]
    """
    List only timers of this client, account, fund or other resource.
    """
    what: NotRequired[list[Literal["order accepted or parked", "order on hold lapses", "cut-off", "aggregated order routed", "price published", "executions confirmed", "subscriptions settled", "redemptions settled", "exchange rate published", "payout sent", "payout returned", "journey expires", "account approved or rejected", "account lapses without signatures", "closing account looked at", "bank account checked", "mandate answered", "transfer sent", "transfer answered", "transfer completed", "fees charged", "retrocessions paid", "sale for fees ended", "mobile payment answered", "mobile payment times out", "bankgiro payment booked", "payment file closed", "payment charged", "savings plan runs", "corporate action looked at"]] | None]
    """
    List only timers of these kinds.
    """


class AllocateRequest(TypedDict):
    """
    The account for money in suspense.
    """

    account: Id
    """
    An active account.
    """


class Allocation(TypedDict):
    """
    A fund's share of every deposit.
    """

    instrument: InstrumentId
    allocation: Number
    """
    Percent, at most two decimals; exactly 100 together.
    """


class AllocationPlan(TypedDict):
    """
    How deposits into an account are distributed.
    """

    id: Id
    clientId: Id
    account: Id
    bankAccount: Id | None
    instruments: list[Allocation]
    lastRun: PlanRun | None
    createdDate: Timestamp
    modifiedDate: Timestamp


class AllocationPlanPatch(TypedDict):
    """
    Changes an allocation plan: a merge patch (RFC 7396).
    """

    bankAccount: NotRequired[Id | None]
    """
    A bank account of the owner with an active or pending mandate; null ends automatic charging.
    """
    instruments: NotRequired[list[Allocation]]
    """
    Replaces all shares.
    """


class Amounts(TypedDict):
    """
    Lifetime sums of an account.
    """

    deposited: Money
    """
    Settled deposits and transfers in.
    """
    withdrawn: Money
    """
    Withdrawals and transfers out that are not aborted.
    """


class AnswerRequest(TypedDict):
    """
    The customer fills in one step.
    """

    step: JourneyStep
    answers: NotRequired[dict[str, Any] | None]
    """
    Answers by field.
    """


class BankAccount(TypedDict):
    """
    A bank account of the owner.
    """

    id: Id
    iban: Iban
    bban: str
    """
    The number as used within the country.
    """
    bank: str
    """
    Name of the bank.
    """
    name: str | None
    """
    The owner's name for it.
    """
    createdDate: Timestamp
    modifiedDate: Timestamp
    validated: bool
    """
    Whether the account check has confirmed name and ownership; withdrawals need it.
    """
    mandateStatus: MandateStatus


class BankAccountSetup(TypedDict):
    """
    A bank account of the owner.
    """

    iban: Iban
    """
    Its IBAN.
    """
    name: NotRequired[str | None]
    """
    The owner's name for it.
    """
    validated: NotRequired[bool | None]
    """
    Whether the bank has confirmed the owner. Default: true.
    """
    mandateStatus: NotRequired[MandateStatus | None]
    """
    The state of its autogiro mandate. Default: `missing`.
    """


class BankgiroItem(TypedDict):
    """
    An accepted bankgiro payment.
    """

    id: Id
    bankgiro: str
    """
    The bankgiro number that receives the payment.
    """
    ref: Ocr
    amount: Money
    bookingDate: Timestamp
    """
    When it is booked.
    """
    createdDate: Timestamp


class BankgiroRequest(TypedDict):
    """
    A payment over bankgiro.
    """

    ref: Ocr
    amount: Money


class BookEntry(TypedDict):
    """
    Sums that an account has paid and received.
    """

    debit: Money
    credit: Money
    balance: Money


class BookTotals(TypedDict):
    platform: BookEntry
    investors: BookEntry
    all: BookEntry


class CancelRequest(TypedDict):
    """
    The customer cancels the journey.
    """

    context: NotRequired[JourneyStep | None]
    """
    Where.
    """


class CashBookingRequest(TypedDict):
    """
    Cash that is booked on an account.
    """

    transactionType: CashTransactionType
    refType: CashRefType
    amount: Money
    """
    Negative if the cash leaves the account.
    """
    text: NotRequired[str | None]
    """
    Text of the transaction.
    """


class CashTransaction(TypedDict):
    """
    A movement of cash between an investor's account and one of the platform's own.
    """

    id: Id
    sortedId: SortedId
    transactionType: CashTransactionType
    aborted: bool
    """
    Whether the transaction was undone before it settled and counts for nothing.
    """
    abortedReason: NotRequired[AbortedReason]
    ref: NotRequired[str]
    """
    Id of what `refType` names, or free text.
    """
    refType: CashRefType
    clientRef: NotRequired[str]
    """
    The partner's own reference.
    """
    executorRef: NotRequired[Ssn]
    debitAccount: Id
    """
    The account that pays.
    """
    creditAccount: Id
    """
    The account that receives.
    """
    amount: Money
    currency: Currency
    text: NotRequired[str]
    createdDate: Timestamp
    modifiedDate: Timestamp
    settlementDate: Day | None


class ClientBankAccount(TypedDict):
    """
    The bank account that receives one kind of fee.
    """

    feeType: FeeType
    iban: Iban


class ClientFeesRequest(TypedDict):
    """
    Fees of a client beside the platform's: at least one of the two. Absent fields stay unchanged.
    """

    partnerFee: NotRequired[FeeTermsSetup | None]
    clientFee: NotRequired[FeeTermsSetup | None]


class ClientServiceType(TypedDict):
    """
    A service that the client offers.
    """

    accountServiceType: ServiceType
    code: str
    """
    Activation code of six digits, assigned by the platform.
    """


class CloseRequest(TypedDict):
    """
    Which sockets to close, and how. Default: all sockets.
    """

    how: NotRequired[Literal["graceful", "close", "drop", "stall", "cutInFrame", "cap"] | None]
    """
    `graceful` when left out.
    """
    client: NotRequired[Id | None]
    """
    Only this client's.
    """
    id: NotRequired[int | None]
    """
    Only the socket with this id.
    """


class CompanyOwner(TypedDict):
    """
    A person with `ssn`, or with `birthDate` and `country`.
    """

    name: str
    ssn: NotRequired[str | None]
    birthDate: NotRequired[CalendarDate | None]
    country: NotRequired[str | None]
    share: NotRequired[Number | None]
    control: str
    """
    `shares`, `votes`, `board` or `other`.
    """


class CompanyShown(TypedDict):
    """
    Company data.
    """

    account: Id
    confirmed: Timestamp
    """
    When the journey that confirmed the data was signed.
    """
    crn: str
    name: str
    companyType: str
    address: CompanyAddress
    registeredName: str
    """
    Name in the company register.
    """
    board: list[CompanyMember]
    signing: str
    """
    `alone` or `together`.
    """
    signatories: list[str]
    """
    Personal numbers.
    """
    beneficialOwners: list[CompanyOwner]
    """
    Beneficial owners as the customer confirmed or corrected them; empty if the board counts instead.
    """
    registeredOwners: list[CompanyOwner]
    """
    Beneficial owners in the company register.
    """
    boardInsteadOfOwners: bool
    answers: list[CompanyAnswer]
    """
    One entry for each question.
    """
    pep: list[CompanyPep]
    """
    One entry for each person.
    """


class ComparisonDifference(TypedDict):
    resource: str
    id: str
    """
    Id of the resource; `world` for settings.
    """
    only: NotRequired[str]
    """
    `here` or `there`, when only one of the worlds has it.
    """
    fields: NotRequired[list[ComparisonField]]
    """
    The fields that differ, when both have it.
    """


class Cost(TypedDict):
    """
    Costs in percent, a year or an event.
    """

    entryFee: Number
    exitFee: Number
    ongoingFee: Number
    transactionFee: Number
    performanceFee: Number


class CoverageGroup(TypedDict):
    """
    One kind of what can be met.
    """

    name: str
    """
    Its name.
    """
    about: str
    """
    What it counts.
    """
    share: int
    """
    How many of its rows have been met, in whole percent, rounded down.
    """
    never: list[NeverMet]
    """
    What was never met.
    """
    met: list[Met]
    """
    What was met, in the order of its table.
    """


class DeathRequest(TypedDict):
    """
    A person has died.
    """

    ssn: Ssn


class DeliveryAttempt(TypedDict):
    at: Timestamp
    tookMs: int
    status: int | None
    """
    Status that the receiver answered.
    """
    error: str | None
    """
    Why the receiver did not answer.
    """
    errorDescription: str | None
    """
    The error in words.
    """
    retryAfter: NotRequired[int]
    """
    Seconds in the receiver's `retry-after`.
    """
    fault: NotRequired[str]
    """
    Effect of a fault rule on it: `refuse`, `fail`, `drop`, `duplicate` or `corruptSignature`.
    """
    putOff: NotRequired[PutOff]
    """
    Delay by a fault rule before this attempt.
    """


class Digest(TypedDict):
    """
    The fingerprint of a world.
    """

    now: Timestamp
    digest: str
    """
    Equal for equal worlds.
    """


class EventLine(TypedDict):
    """
    One event.
    """

    number: int
    at: Timestamp
    client: Id | None
    event: dict[str, Any]
    """
    The message as sockets receive it.
    """


class EventList(TypedDict):
    """
    Events that happened.
    """

    first: int
    """
    Number of the first that is kept.
    """
    kept: int
    limit: int
    """
    Number of events kept at most.
    """
    forgotten: int
    """
    Number that are no longer kept.
    """
    total: int
    """
    Number of events since the start.
    """
    missed: int
    """
    Number that match the query and are no longer kept.
    """
    lookedFrom: NotRequired[int]
    """
    With `search`: number of the first event searched. Continue with it as `before`.
    """
    events: list[EventLine]


class FailRequest(TypedDict):
    """
    The journey fails.
    """

    code: ErrorCode
    context: NotRequired[JourneyStep | None]
    """
    Where.
    """


class FaultMatchShown(TypedDict):
    method: str | None
    path: str | None
    event: str | None
    nth: int | None
    probability: Number | None
    times: int | None


class FaultRequest(TypedDict):
    """
    A rule to add.
    """

    match: NotRequired[FaultMatch | None]
    """
    What it applies to; everything when left out.
    """
    verdict: FaultVerdict
    """
    Effect of the rule.
    """


class FeeAccruing(TypedDict):
    refType: str
    basisPoints: int
    mode: FeeMode | None
    accrued: Number
    calculated: Number
    """
    Amount accrued in mode `calculated`. It is not part of `accrued`, and never charged.
    """
    carry: Number
    arrears: Money


class FeeAmount(TypedDict):
    refType: str
    amount: Money


class FeeCharged(TypedDict):
    refType: str
    mode: FeeMode
    carried: Number
    accrued: Number
    amount: Money
    calculated: Money
    """
    Amount accrued in mode `calculated`. It is not part of `amount`.
    """
    arrears: Money


class FeeRefund(TypedDict):
    payment: Id
    amount: Money


class FeeSale(TypedDict):
    """
    Units that are sold for fees.
    """

    order: Id
    instrument: InstrumentId
    units: Number | None
    status: str
    covers: Number


class FeeTransaction(TypedDict):
    id: Id
    transactionType: CashTransactionType
    refType: CashRefType
    ref: str | None
    amount: Money
    createdDate: Timestamp


FeesAccruing = TypedDict(
    "FeesAccruing",
    {
        "from": CalendarDate,
        "through": CalendarDate | None,
        "chargedAt": Timestamp | None,
        "kinds": list[FeeAccruing],
    },
)


FeesCharged = TypedDict(
    "FeesCharged",
    {
        "ref": str,
        "from": CalendarDate,
        "through": CalendarDate,
        "kinds": list[FeeCharged],
    },
)


class FeesCharging(TypedDict):
    ref: str
    amounts: list[FeeAmount]
    refunds: list[FeeRefund]
    reserved: Money
    sales: list[FeeSale]


class FeesOfClient(TypedDict):
    """
    Fees of one client.
    """

    client: Id
    partnerFee: FeeTerms
    clientFee: FeeTerms


class Fork(TypedDict):
    """
    The world and the moment that a fork began from.
    """

    worldId: str
    input: int
    at: Timestamp


class FundTransaction(TypedDict):
    """
    A movement of units into or out of an account.
    """

    id: Id
    sortedId: SortedId
    transactionType: FundTransactionType
    aborted: bool
    """
    Whether the transaction was undone before it settled and counts for nothing.
    """
    abortedReason: NotRequired[AbortedReason]
    ref: NotRequired[str]
    """
    Id of what `refType` names, or free text.
    """
    refType: FundRefType
    clientRef: NotRequired[str]
    """
    The partner's own reference.
    """
    executorRef: NotRequired[Ssn]
    account: Id
    instrument: InstrumentId
    identifier: Isin
    """
    The instrument's ISIN.
    """
    units: Number
    price: Number | None
    currency: Currency
    createdDate: Timestamp
    modifiedDate: Timestamp
    tradeDate: Day | None
    settlementDate: Day | None


class Happened(TypedDict):
    """
    A timer: one that fired, or the next to fire.
    """

    at: Timestamp
    what: str
    resource: str
    """
    Id of the resource.
    """


class HistoricalPrice(TypedDict):
    """
    One historical price.
    """

    priceDate: CalendarDate
    closePrice: Number
    """
    In the fund's currency.
    """


class InstructionRequest(TypedDict):
    """
    A batch of payments. All are accepted, or none.
    """

    type: InstructionType
    payments: list[PaymentRequest]
    """
    1 to 1,000 payments.
    """


class Instrument(TypedDict):
    """
    A mutual fund with its present data.
    """

    id: InstrumentId
    isincode: Isin
    name: str
    currency: Currency
    closePrice: Number | None
    priceDate: Day | None
    kiid: list[KeyDocument]
    isBuyable: bool
    isSellable: bool
    isTradable: bool
    cost: Cost
    rebate: Number
    """
    Basis points of the holding's value that are rebated to the customer each year.
    """
    decimalsUnits: int
    """
    Largest number of decimals of ordered units.
    """
    minInvestmentAmountSEK: Money
    minInitialAmountSek: NotRequired[Money]
    """
    Minimum of a first purchase, where it differs from `minInvestmentAmountSEK`.
    """
    minSubsequentAmountSek: NotRequired[Money]
    """
    Minimum of later purchases, where it differs from `minInvestmentAmountSEK`.
    """
    isComplex: bool
    """
    Whether buying needs an appropriateness answer.
    """
    isRaif: bool
    """
    Whether the fund is open to professional clients only.
    """
    cutOffTime: ClockTime
    subscriptionSettlementDays: int
    """
    Bank days from trade to settlement.
    """
    redemptionSettlementDays: int
    """
    Bank days from trade to settlement.
    """
    cutOffDateSub: Timestamp | None
    cutOffDateRed: Timestamp | None


class InstrumentSetup(TypedDict):
    """
    A fund.
    """

    id: InstrumentId
    """
    ISIN with its check digit, followed by a currency code.
    """
    name: str
    """
    Its name.
    """
    firstPrice: Number
    """
    Price of a unit on the first day, in the fund's currency.
    """
    volatilityBp: NotRequired[int | None]
    """
    How much a price moves on a usual day, in hundredths of a percent. Default: 90.
    """
    cutOffTime: NotRequired[str | None]
    """
    Cut-off for orders of the day, local time. Default: 14:00.
    """
    subscriptionSettlementDays: NotRequired[int | None]
    """
    Bank days from the cut-off to the settlement of a purchase. Default: 2.
    """
    redemptionSettlementDays: NotRequired[int | None]
    """
    Bank days from the cut-off to the settlement of a sale. Default: 2.
    """
    navLagDays: NotRequired[int | None]
    """
    0: priced on the dealing day at 18:30; 1: on the next bank day at 10:00, and so on. Default: 0.
    """
    dealing: NotRequired[Literal["daily"] | InstrumentSetupDealing | InstrumentSetupDealing1 | None]
    calendars: NotRequired[list[Literal["US", "LU", "GB"]] | None]
    """
    Markets on whose holidays it is closed.
    """
    closedDays: NotRequired[list[CalendarDate] | None]
    """
    Other days on which it is closed.
    """
    decimalsUnits: NotRequired[int | None]
    """
    Decimals of its units. Default: 4.
    """
    minInvestmentAmountSEK: NotRequired[Money | None]
    """
    Smallest purchase in SEK.
    """
    minInitialAmountSek: NotRequired[Money | None]
    """
    Smallest first purchase in SEK, where that differs.
    """
    minSubsequentAmountSek: NotRequired[Money | None]
    """
    Smallest later purchase in SEK, where that differs.
    """
    isComplex: NotRequired[bool | None]
    """
    Whether buying needs an appropriateness answer.
    """
    isRaif: NotRequired[bool | None]
    """
    Whether it is for professional clients only.
    """
    isBuyable: NotRequired[bool | None]
    """
    Whether it can be bought. Default: true.
    """
    isSellable: NotRequired[bool | None]
    """
    Whether it can be sold. Default: true.
    """
    isTradable: NotRequired[bool | None]
    """
    Whether it can be traded at all. Default: true.
    """
    rebate: NotRequired[Decimal | int | None]
    """
    Percent of its fee that is rebated, a year.
    """
    cost: NotRequired[CostSetup | None]
    """
    Costs in percent. Default: none.
    """
    kiid: NotRequired[list[KeyDocumentSetup] | None]
    """
    Its key documents.
    """


class InvestorLine(TypedDict):
    account: Id
    ref: AccountRef
    debit: Money
    credit: Money
    balance: Money


class JourneyAccountOptions(TypedDict):
    """
    Choices of a legal entity.
    """

    ownerType: OwnerType
    """
    Always `legal_entity`.
    """
    serviceTypes: list[ServiceType]
    """
    Service types to choose from.
    """
    accountTypes: list[AccountType]
    """
    Account types to choose from.
    """
    accountCategories: list[Category]
    """
    Categories to choose from.
    """


class JourneyAllocation(TypedDict):
    """
    A fund's share of every deposit.
    """

    instrument: InstrumentId
    """
    The fund.
    """
    allocation: Number
    """
    Percent, at most two decimals.
    """


class JourneyAllocationPlan(TypedDict):
    """
    How deposits are distributed.
    """

    depositType: NotRequired[DepositType | None]
    """
    How money is deposited.
    """
    periodicity: NotRequired[Periodicity | None]
    """
    Whether money is deposited every month or once.
    """
    paymentAccount: NotRequired[JourneyPaymentAccount | None]
    """
    The bank account to charge.
    """
    instruments: NotRequired[list[JourneyAllocation] | None]
    """
    Exactly 100 percent together; the customer picks when they are left out.
    """


class JourneyKycAnswer(TypedDict):
    """
    An answer known beforehand.
    """

    qid: str
    """
    Id of the question.
    """
    answer: JourneyKycTexts
    """
    One text, or several.
    """


class JourneyResultAccount(TypedDict):
    """
    The account, as it was at completion.
    """

    id: NotRequired[Id]
    """
    Left out where the world's `resultAccountId` is off.
    """
    status: AccountStatus
    accountType: AccountType
    serviceType: ServiceType


class JourneyResultAllocation(TypedDict):
    """
    A fund's share of every deposit.
    """

    instrument: InstrumentId
    allocation: Number
    """
    Percent.
    """


class JourneyResultAllocationPlan(TypedDict):
    """
    How deposits are distributed from now on.
    """

    paymentAccount: NotRequired[JourneyResultPaymentAccount]
    """
    Bank account that is charged, if any.
    """
    instruments: list[JourneyResultAllocation]


class JourneyResultSaving(TypedDict):
    """
    Monthly amount for one fund.
    """

    instrument: InstrumentId
    amount: Money
    """
    SEK.
    """


class JourneyResultSavingsPlan(TypedDict):
    """
    Monthly purchases.
    """

    periodicity: str
    day: int
    """
    Day of the month.
    """
    instruments: list[JourneyResultSaving]
    startDate: CalendarDate


class JourneyTransferInstrument(TypedDict):
    """
    A fund to transfer.
    """

    instrument: InstrumentId
    """
    The fund.
    """
    units: NotRequired[Number | None]
    """
    Units to transfer; null means all.
    """


class Kyc(TypedDict):
    """
    KYC status of an account.
    """

    account: Id
    status: KycStatus
    lastUpdatedDate: Timestamp
    expiryDate: Day
    """
    Last day on which the answers are valid.
    """
    renewalRequired: bool
    """
    Whether it is time to renew the answers.
    """


class LiquidationRequest(TypedDict):
    """
    A liquidation of a fund.
    """

    price: NotRequired[Number | None]
    """
    Price paid for a unit; the price of the day when left out.
    """


class MergerRequest(TypedDict):
    """
    A merger of a fund into another.
    """

    into: InstrumentId
    ratio: NotRequired[Number | None]
    """
    Units of the other fund for each unit; determined by the prices of the day when left out.
    """


class MobilePayment(TypedDict):
    """
    Status of a mobile payment session.
    """

    id: Id
    paymentId: str
    type: MobilePaymentType
    account: Id
    """
    The account that receives the money.
    """
    amount: Money
    status: MobilePaymentStatus
    errorCode: NotRequired[MobilePaymentErrorCode | None]
    createdDate: Timestamp
    modifiedDate: Timestamp


class MobilePaymentRequest(TypedDict):
    """
    Asks the payer for a mobile payment.
    """

    type: MobilePaymentType
    amount: Money
    """
    From 1.00 to 150,000.00 SEK.
    """
    qrFormat: NotRequired[QrFormat | None]
    """
    Form of the QR code, with `other_device` only; `png` when absent.
    """


class NaturalPerson(TypedDict):
    """
    A person who owns an account.
    """

    ownerType: Literal["natural_person"]
    firstName: str
    lastName: str
    fullName: str
    ssn: Ssn


class NaturalPersonOwner(TypedDict):
    """
    A person who owns an account.
    """

    ownerType: Literal["natural_person"]
    """
    Type of the owner.
    """
    firstName: str
    """
    The first name.
    """
    lastName: str
    """
    The last name.
    """
    ssn: Ssn
    """
    The personal identity number, twelve digits.
    """


class OfferedService(TypedDict):
    """
    A service for a client to offer.
    """

    accountServiceType: ServiceType


class OpenSocket(TypedDict):
    """
    An event socket that is open.
    """

    id: int
    client: Id
    opened: Timestamp
    sent: int
    """
    Messages that the server has sent on it.
    """
    stalled: bool
    """
    Whether a fault rule or a request has silenced it.
    """


Order: TypeAlias = SubscriptionOrder | RedemptionOrder
"""
A fund order.
"""


OrderRequest: TypeAlias = SubscriptionRequest | RedemptionRequest
"""
Places a subscription or a redemption.
"""


class OrderWithdrawalRequest(TypedDict):
    """
    Sells units and pays the proceeds out to a bank account of the owner.
    """

    orderType: Literal["redemption"]
    """
    Always `redemption`.
    """
    account: Id
    instrument: InstrumentId
    units: Number
    clientRef: NotRequired[str | None]
    """
    Your own reference.
    """
    executorRef: Ssn
    """
    The owner, or a signatory of the owner.
    """
    bankAccount: Id
    """
    A validated bank account of the owner.
    """
    paymentAccount: NotRequired[Id | None]
    """
    Accepted and ignored.
    """


class PaidFee(TypedDict):
    amount: Money
    iban: Iban
    at: Timestamp


class Payment(TypedDict):
    """
    One payment of an instruction.
    """

    id: Id
    account: Id
    """
    The account that receives the money.
    """
    amount: Money
    clientRef: NotRequired[str]
    """
    The partner's own reference, copied to the transaction.
    """
    status: PaymentStatus
    reasonCode: str | None
    """
    Why it failed or is not paid yet; null if it is paid or was not attempted yet.
    """
    reason: str | None
    """
    The error in words.
    """


class Permissions(TypedDict):
    """
    Permissions of the client; read-only.
    """

    accountTypes: list[AccountType]
    accountServiceTypes: list[ServiceType]
    accountCategories: list[Category]
    ownerTypes: list[OwnerType]
    journeyTypes: list[str]
    """
    Journeys that the client may start.
    """
    transfers: bool
    """
    Transfers from custodians.
    """
    autogiro: bool
    """
    Autogiro mandates and charges.
    """
    mobilePayment: bool
    """
    Mobile-payment deposits.
    """
    withdrawals: bool
    partnerFee: bool


class PermissionsPatch(TypedDict):
    """
    Permissions of a client. Absent fields stay unchanged.
    """

    accountTypes: NotRequired[list[AccountType] | None]
    """
    Account types.
    """
    accountServiceTypes: NotRequired[list[ServiceType] | None]
    """
    Service types of accounts.
    """
    accountCategories: NotRequired[list[Category] | None]
    """
    Investor protection categories.
    """
    ownerTypes: NotRequired[list[OwnerType] | None]
    """
    Types of owners.
    """
    journeyTypes: NotRequired[list[Literal["createAccount", "createLegalEntityAccount", "addBankAccount", "signWithdrawal", "updateAllocationPlan", "updateSavingsPlan", "signSubmission", "kycRenewal"]] | None]
    """
    Journey types that it may start.
    """
    transfers: NotRequired[bool | None]
    """
    Whether transfers from custodians are allowed.
    """
    autogiro: NotRequired[bool | None]
    """
    Whether autogiro mandates and charges are allowed.
    """
    mobilePayment: NotRequired[bool | None]
    """
    Whether mobile payments are allowed.
    """
    withdrawals: NotRequired[bool | None]
    """
    Whether withdrawals are allowed.
    """
    partnerFee: NotRequired[bool | None]
    """
    Whether its partner may take a fee.
    """


class PermissionsSetup(TypedDict):
    """
    Permissions of a client. Default of each: all.
    """

    accountTypes: NotRequired[list[AccountType] | None]
    """
    Account types.
    """
    accountServiceTypes: NotRequired[list[ServiceType] | None]
    """
    Service types of accounts.
    """
    accountCategories: NotRequired[list[Category] | None]
    """
    Investor protection categories.
    """
    ownerTypes: NotRequired[list[OwnerType] | None]
    """
    Types of owners.
    """
    journeyTypes: NotRequired[list[Literal["createAccount", "createLegalEntityAccount", "addBankAccount", "signWithdrawal", "updateAllocationPlan", "updateSavingsPlan", "signSubmission", "kycRenewal"]] | None]
    """
    Journey types that it may start.
    """
    transfers: NotRequired[bool | None]
    """
    Whether transfers from custodians are allowed.
    """
    autogiro: NotRequired[bool | None]
    """
    Whether autogiro mandates and charges are allowed.
    """
    mobilePayment: NotRequired[bool | None]
    """
    Whether mobile payments are allowed.
    """
    withdrawals: NotRequired[bool | None]
    """
    Whether withdrawals are allowed.
    """
    partnerFee: NotRequired[bool | None]
    """
    Whether its partner may take a fee.
    """


class Pong(TypedDict):
    """
    The answer to a ping.
    """

    pong: Timestamp
    """
    The present time of the caller's world, or of the sandbox's first one for callers without a token.
    """


class RedemptionTransferRequest(TypedDict):
    """
    Sells units and moves the proceeds to another account of the same owner and client.
    """

    orderType: Literal["redemption"]
    """
    Always `redemption`.
    """
    account: Id
    instrument: InstrumentId
    units: Number
    clientRef: NotRequired[str | None]
    """
    Your own reference.
    """
    executorRef: NotRequired[Ssn | None]
    """
    The owner, or a signatory of the owner.
    """
    destinationAccount: Id


ReplayRequest = TypedDict(
    "ReplayRequest",
    {
        "since": Timestamp,
        "from": NotRequired[int | None],
    },
)


class ReplayShown(TypedDict):
    """
    Result of a replay.
    """

    events: int
    """
    Number of events queued, some of them possibly for the first time.
    """
    rest: Timestamp | None
    restFrom: NotRequired[int]
    """
    `from` for the next request: the next event of that instant.
    """
    cut: bool
    """
    Whether events since that instant are no longer kept.
    """


class RequestLine(TypedDict):
    """
    One request.
    """

    requestId: int
    """
    The `request-id` of its answer.
    """
    at: Timestamp
    method: str
    path: str
    """
    Path and query, without secrets.
    """
    status: int | None
    """
    Status of the answer; null if the connection was dropped.
    """
    milliseconds: int
    """
    Duration in milliseconds.
    """
    sent: LoggedBody | None
    answered: LoggedBody | None


class RequestLog(TypedDict):
    """
    Requests that the world has received.
    """

    total: int
    """
    Number of requests since the start.
    """
    next: int
    """
    The number to continue with as `start`.
    """
    isWhole: NotRequired[bool]
    """
    With `start`: whether all requests from there on are still kept.
    """
    requests: list[RequestLine]


class Retrocessions(TypedDict):
    paidAt: Timestamp | None
    accrued: list[AccruedRetrocession]


class SavingsPlan(TypedDict):
    """
    Monthly purchases for an account.
    """

    id: Id
    sortedId: SortedId
    account: Id
    bankAccount: Id
    """
    Bank account that is charged.
    """
    periodicity: str
    """
    Always `monthly`.
    """
    day: int
    """
    Day of the month, 1 to 28.
    """
    instruments: list[Saving]
    startDate: CalendarDate
    """
    First day on which it may run.
    """
    lastRun: PlanRun | None
    createdDate: Timestamp
    modifiedDate: Timestamp


class ScreeningRequest(TypedDict):
    """
    Screening result of an owner. Give exactly one of `ssn` and `crn`.
    """

    ssn: NotRequired[Ssn | None]
    crn: NotRequired[Crn | None]
    hit: ScreeningHit


class SettingsPatch(TypedDict):
    """
    Settings of one world. Absent fields stay unchanged.
    """

    heartbeatSeconds: NotRequired[int | None]
    """
    Seconds between two heartbeats on a socket.
    """
    socketCapSeconds: NotRequired[int | None]
    """
    Lifetime of a socket in seconds.
    """
    socketStallSeconds: NotRequired[int | None]
    """
    Seconds after which a socket whose client reads nothing is closed.
    """
    tokenLifeSeconds: NotRequired[int | None]
    """
    Lifetime of an access token in seconds.
    """
    virtualTransport: NotRequired[bool | None]
    """
    Whether tokens and sockets go by the world's clock instead of transport time.
    """
    operatorMarket: NotRequired[bool | None]
    """
    Whether only the operator may use levers that act on the whole world (funds, screening, deaths) (rule: auth/market-levers).
    """
    eventsKept: NotRequired[int | None]
    """
    Number of events kept.
    """
    inputsKept: NotRequired[int | None]
    """
    Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before them.
    """
    requestsKept: NotRequired[int | None]
    """
    Number of requests kept for each partner.
    """
    requestBodyBytes: NotRequired[int | None]
    """
    Bytes kept of each body, of requests and of their answers; 0 keeps none.
    """
    requestBodiesBytes: NotRequired[int | None]
    """
    Bytes kept of all bodies of each partner; the oldest go first.
    """
    recordingBytes: NotRequired[int | None]
    """
    Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none.
    """
    socketsPerClient: NotRequired[int | None]
    """
    Open sockets for one client at the same time.
    """
    socketsPerPartner: NotRequired[int | None]
    """
    Open sockets for one partner at the same time.
    """
    tokensPerPartner: NotRequired[int | None]
    """
    Valid access tokens for one partner at the same time. The oldest token expires first.
    """
    strictBodies: NotRequired[bool | None]
    """
    Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them.
    """
    unknownResourceStatus: NotRequired[Literal[400, 403, 404] | None]
    """
    Status of the answer to an unknown id.
    """
    deliveryWaitsSeconds: NotRequired[list[SettingsPatchDeliveryWaitsSecond] | None]
    """
    Waits between the attempts of a delivery.
    """
    allowlist: NotRequired[list[str] | None]
    """
    Networks from which the API may be called; all when empty.
    """
    partnersMay: NotRequired[list[Literal["drop", "reset", "rewind", "restore", "clock", "advance", "settings", "snapshots"]] | None]
    """
    Actions on the whole world that partners sharing it may take. Only the operator may change this.
    """
    world: NotRequired[WorldSettingsPatch | None]
    """
    Settings of the world itself.
    """
    permissions: NotRequired[dict[str, Any] | None]
    """
    Permissions by the client's id. Absent fields stay unchanged.
    """
    clients: NotRequired[dict[str, Any] | None]
    """
    Other terms of clients as in a setup, by the client's id. Absent fields stay unchanged.
    """
    force: NotRequired[bool | None]
    """
    Whether to accept an `allowlist` that excludes the address of this request.
    """


class SignRequest(TypedDict):
    """
    The customer uses the electronic identity.
    """

    signer: NotRequired[Ssn | None]
    """
    Personal number of the signer; the journey's own person when left out.
    """
    outcome: NotRequired[SignOutcome | None]


class Signatory(TypedDict):
    """
    A signatory of an organisation.
    """

    name: str
    ssn: Ssn
    email: str | None


class SignatorySetup(TypedDict):
    """
    A signatory of an organisation.
    """

    name: str
    """
    Full name.
    """
    ssn: Ssn
    """
    The personal identity number, twelve digits.
    """
    email: NotRequired[str | None]
    """
    Email address for invitations to sign.
    """


class Snapshot(TypedDict):
    """
    A named copy of a world.
    """

    id: str
    """
    Name. For the operator, the name of a partner's snapshot begins with the partner's id.
    """
    now: Timestamp
    """
    The time of the world when the snapshot was taken.
    """


class StepDescription(TypedDict):
    """
    One step that a journey shows.
    """

    step: JourneyStep
    state: str
    """
    `done`, `current` or `ahead`.
    """
    fields: list[StepField]


class SuspenseItem(TypedDict):
    """
    Money that no account could take, as the operator sees it.
    """

    id: Id
    ref: str
    """
    Reference that the payer gave: an OCR reference, or the id of a payment.
    """
    amount: Money
    day: CalendarDate
    """
    The local day of arrival.
    """
    reason: str
    """
    Why it is in suspense.
    """
    status: str
    account: Id | None
    cashTransaction: Id | None
    createdDate: Timestamp
    modifiedDate: Timestamp


class TakenFees(TypedDict):
    """
    Fees of one kind taken for one client.
    """

    client: Id
    feeType: FeeType
    waiting: Money
    """
    Taken and not yet paid to the client.
    """
    paid: list[PaidFee]


class Transfer(TypedDict):
    """
    A transfer of holdings from another custodian.
    """

    id: Id
    sortedId: SortedId
    account: Id
    """
    The receiving account.
    """
    custodian: str
    """
    Id of the ceding custodian.
    """
    externalRef: NotRequired[str]
    """
    Reference at the custodian, once the transfer is sent.
    """
    status: TransferStatus
    createdDate: Timestamp
    modifiedDate: Timestamp


class WhyEvent(TypedDict):
    number: int
    eventId: Id
    eventType: str
    resource: Id
    """
    The id of what changed.
    """
    status: str | None
    """
    Its status afterwards, where it has one.
    """
    previousStatus: str | None
    """
    Its status before.
    """
    amount: NotRequired[Decimal | int]
    """
    The amount of a transaction.
    """
    changed: list[WhyField]
    """
    What else became different, where something changed.
    """
    moves: list[WhyMove]
    """
    The rows of the table of states that were taken, in order.
    """
    deliveries: list[WhyDelivery]
    """
    Callbacks and webhooks that deliver it.
    """


class WhyRequest(TypedDict):
    requestId: int
    route: str | None
    """
    The route that answered it.
    """
    logged: NotRequired[WhyRequestLogged]
    """
    What the log of requests has of it, which keeps those that show a partner's token.
    """


class WithdrawalRequest(TypedDict):
    """
    Pays cash out to a bank account of the owner.
    """

    withdrawalType: WithdrawalType
    amount: NotRequired[Money | None]
    """
    SEK; required with `amount`, forbidden with `full`.
    """
    bankAccount: Id
    """
    A validated bank account of the owner.
    """
    clientRef: NotRequired[str | None]
    """
    Your own reference.
    """
    executorRef: Ssn
    """
    The owner, or a signatory of the owner.
    """


class World(TypedDict):
    """
    A world.
    """

    url: str
    worldId: str
    name: str
    seed: int
    start: Timestamp
    now: Timestamp
    sockets: int
    """
    Event sockets that are open; of those of a partner that others share the world with, its own.
    """
    events: int
    """
    Events that happened.
    """
    eventLog: EventLog
    input: int
    """
    Number of the last input, which `fork` and `rewind` take; 0 is the start.
    """
    firstInput: int
    """
    Number of the first input that they can go back to.
    """
    clock: str
    """
    How its clock goes, as `--clock` takes it.
    """
    mode: str
    factor: Number | None
    partners: NotRequired[list[WorldPartner]]
    """
    Left out when the world has failed.
    """
    forkOf: NotRequired[Fork]
    """
    The moment of another world that it began as, when it is a fork.
    """
    recording: RecordingKept
    """
    What is kept of its session, which `scenario` writes as a story.
    """
    failure: NotRequired[WorldFailure]
    """
    What went wrong, when the world has failed.
    """


class WorldLine(TypedDict):
    """
    Where a world is, and who may use it.
    """

    url: str
    worldId: str
    seed: int
    now: Timestamp
    partners: list[WorldPartner]


class CreateLegalEntityAccountConfiguration(TypedDict):
    """
    Configuration of a `createLegalEntityAccount` journey.
    """

    journeyType: Literal["createLegalEntityAccount"]
    """
    What kind of journey it is.
    """
    accountServiceType: ServiceType
    """
    What the client does for the account.
    """
    accountName: NotRequired[str | None]
    """
    Name of the account; the customer chooses when it is left out.
    """
    email: NotRequired[str | None]
    """
    The customer's e-mail address.
    """
    accountOptions: JourneyAccountOptions
    """
    Choices of a legal entity.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    submission: NotRequired[Id | None]
    """
    The submission that is signed, or that made the account.
    """
    autogiro: NotRequired[JourneyAutogiro | None]
    """
    Whether a mandate is asked for.
    """
    instruments: NotRequired[list[JourneyInstrument] | None]
    """
    Funds the owner wants to buy, offered in the plans.
    """
    paymentAccount: NotRequired[JourneyPaymentAccount | None]
    """
    The bank account to charge.
    """
    allocationPlan: NotRequired[JourneyAllocationPlan | None]
    """
    Null hides the step.
    """
    savingsPlan: NotRequired[JourneySavingsPlan | None]
    """
    What is bought every month; null hides the step of a journey that does not require it.
    """
    kycs: NotRequired[list[JourneyKycAnswer] | None]
    """
    Answers known beforehand.
    """


class UpdateAllocationPlanConfiguration(TypedDict):
    """
    Configuration of a `updateAllocationPlan` journey.
    """

    journeyType: Literal["updateAllocationPlan"]
    """
    What kind of journey it is.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    account: Id
    """
    The account that the journey is about.
    """
    instruments: NotRequired[list[JourneyInstrument] | None]
    """
    Funds the owner wants to buy, offered in the plans.
    """
    paymentAccount: NotRequired[JourneyPaymentAccount | None]
    """
    The bank account to charge.
    """
    allocationPlan: NotRequired[JourneyAllocationPlan | None]
    """
    Null hides the step.
    """


class KycRenewalConfiguration(TypedDict):
    """
    Configuration of a `kycRenewal` journey.
    """

    journeyType: Literal["kycRenewal"]
    """
    What kind of journey it is.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    account: Id
    """
    The account that the journey is about.
    """
    kycs: NotRequired[list[JourneyKycAnswer] | None]
    """
    Answers known beforehand.
    """


class Advanced(TypedDict):
    """
    The timers that fired. On a shared world, only those of the caller's clients.
    """

    now: Timestamp
    happened: list[Happened]
    """
    The first thousand timers that match `of` and `what`.
    """
    kinds: list[HappenedKind]
    """
    Number of timers of each kind, listed or not.
    """
    count: int
    """
    Number of timers, listed or not.
    """


class Books(TypedDict):
    """
    The ledger of a world.
    """

    at: Timestamp
    platform: list[PlatformLine]
    """
    The platform's own accounts.
    """
    investors: list[InvestorLine]
    """
    The partners' customers' accounts.
    """
    totals: BookTotals


class Client(TypedDict):
    """
    The legal entity that holds power of attorney over end-investor accounts.
    """

    id: Id
    sortedId: SortedId
    name: str
    displayName: str
    """
    Name shown to end customers.
    """
    crn: Crn
    country: str
    """
    ISO 3166-1 alpha-2.
    """
    bankAccounts: list[ClientBankAccount]
    """
    Bank accounts that receive fees, one for each kind of fee.
    """
    serviceTypes: list[ClientServiceType]
    permissions: Permissions
    createdDate: Timestamp
    modifiedDate: Timestamp


class ClientFees(TypedDict):
    """
    Fees taken for clients, and payments of them.
    """

    clients: list[FeesOfClient]
    taken: list[TakenFees]


class ClientPatch(TypedDict):
    """
    Changes a client: a merge patch (RFC 7396). Lists are replaced whole; `id` and `crn` cannot change.
    """

    name: NotRequired[str]
    displayName: NotRequired[str]
    country: NotRequired[str]
    bankAccounts: NotRequired[list[ClientBankAccount] | None]
    """
    Null removes all.
    """
    serviceTypes: NotRequired[list[OfferedService]]
    """
    Services that stay keep their code.
    """


class ClientRequest(TypedDict):
    """
    Creates a client.
    """

    id: NotRequired[Id | None]
    """
    Id of the client; generated when left out.
    """
    name: str
    displayName: str
    """
    Name shown to end customers.
    """
    crn: Crn
    """
    Unique within the partner.
    """
    country: str
    """
    ISO 3166-1 alpha-2.
    """
    bankAccounts: NotRequired[list[ClientBankAccount] | None]
    """
    One account for each kind of fee.
    """
    serviceTypes: list[OfferedService]
    """
    Codes are assigned by the platform.
    """


class Clock(TypedDict):
    """
    Time and mode of a world's clock.
    """

    now: Timestamp
    next: Happened | None
    clock: str
    """
    The mode in one word, as for `--clock`.
    """
    mode: str
    factor: Number | None


class Comparison(TypedDict):
    """
    Comparison of this world with another.
    """

    same: bool
    """
    Whether the digests of the two worlds are equal.
    """
    now: Timestamp
    otherNow: Timestamp
    parts: list[str]
    """
    Parts of the worlds that differ, such as `now`, `timers` or `market`, also those that no resource shows.
    """
    counts: list[ComparisonCount]
    """
    Number of equal and of different resources, by kind.
    """
    differences: list[ComparisonDifference]
    """
    The differences, up to the requested limit.
    """


class Coverage(TypedDict):
    """
    What has been met of a world, and what never.
    """

    at: Timestamp
    """
    Time of the world's clock.
    """
    partners: list[Id]
    """
    The partners whose integrations are counted.
    """
    share: int
    """
    The mean of the groups' shares, in whole percent, rounded down.
    """
    met: int
    """
    Rows that have been met, in all groups.
    """
    rows: int
    """
    Rows that can be met, in all groups.
    """
    groups: list[CoverageGroup]


class Delivery(TypedDict):
    """
    A delivery of an event or a callback, with its attempts.
    """

    id: Id
    status: str
    """
    `queued`, `delivered`, `refused` or `deadLetter`.
    """
    eventType: str
    webhookId: Id
    """
    Receivers deduplicate by this id.
    """
    webhook: Id | None
    journey: NotRequired[Id]
    """
    The journey, for its callback.
    """
    resource: NotRequired[Id]
    """
    Resource of the event, for a webhook.
    """
    client: Id
    """
    The client of the journey, or of the webhook.
    """
    url: str
    """
    URL of the next attempt, or of the last one.
    """
    occurred: Timestamp
    """
    Time of the world's clock.
    """
    queued: Timestamp
    nextAttempt: Timestamp | None
    due: bool
    """
    Whether the next attempt is due.
    """
    overtaken: bool
    """
    Whether a fault rule lets later deliveries overtake this one.
    """
    putOff: NotRequired[PutOff]
    """
    Delay by a fault rule before the next attempt.
    """
    underWaySince: Timestamp | None
    attemptsMade: int
    sentAgain: int
    """
    How often it was sent again: a listener forwards it once for each of these, and once before.
    """
    attempts: list[DeliveryAttempt]
    """
    The latest attempts.
    """
    body: dict[str, Any]
    """
    Body of the delivery.
    """


class DeliveryList(TypedDict):
    """
    Deliveries, newest first; oldest first with `after`.
    """

    log: Id
    """
    Names this log. Another one begins where the world is put back, which forgets deliveries.
    """
    next: str
    """
    `after` for the next request, which shows what comes from now on; with `after`, what came behind the last one shown.
    """
    isWhole: NotRequired[bool]
    """
    Only with `after`: whether nothing that came after the cursor is missing here, or is here once more. Otherwise the list begins with
    the oldest delivery that is kept.
    """
    total: int
    """
    Number that match the query.
    """
    forgotten: int
    """
    Number that are no longer kept.
    """
    missed: int
    """
    Events that were dropped before they were delivered.
    """
    unread: int
    """
    Events that are not processed yet.
    """
    deliveries: list[Delivery]


class Fault(TypedDict):
    """
    A fault rule with its counts.
    """

    id: int
    partner: NotRequired[Id]
    """
    The partner that the rule belongs and applies to; absent for a rule about all partners.
    """
    match: FaultMatchShown
    verdict: dict[str, Any]
    seen: int
    """
    Requests, socket events or deliveries that matched its method, path or event.
    """
    hits: int
    """
    Number of these that the rule changed.
    """


class FeeRefunding(TypedDict):
    payment: Id
    left: Money
    inArrears: bool
    sales: list[FeeSale]


class Instruction(TypedDict):
    """
    A batch of payments into accounts.
    """

    id: Id
    type: InstructionType
    payments: list[Payment]
    bankTransferRef: AccountRef | None
    status: InstructionStatus


class JourneyResult(TypedDict):
    """
    Result of a complete journey.
    """

    journeyType: str
    account: NotRequired[JourneyResultAccount]
    bankAccounts: NotRequired[list[JourneyResultBankAccount]]
    """
    Bank accounts that were connected.
    """
    transfers: NotRequired[list[JourneyResultTransfer]]
    """
    One item for each account at a custodian.
    """
    allocationPlan: NotRequired[JourneyResultAllocationPlan]
    savingsplan: NotRequired[JourneyResultSavingsPlan]
    submission: NotRequired[JourneyResultSubmission]


class JourneyTransferAccount(TypedDict):
    """
    An account at a custodian. In every list, one entry locks the choice and several let the customer pick.
    """

    accountNumber: str | None
    """
    Null lets the customer enter it; at most one null for each custodian.
    """
    sourceAccountType: list[AccountType]
    """
    Account type at the custodian.
    """
    closeAccountAndSavingsplans: bool | None
    """
    Null lets the customer decide.
    """
    required: bool
    """
    Whether the customer must complete this transfer.
    """
    untransferableUnitsOutput: list[Output]
    """
    For units that cannot be transferred: `cash` or `ignore`.
    """
    defaultUnitsOutput: list[Output]
    """
    For funds that `instruments` does not list.
    """
    balanceOutput: list[Output]
    """
    For the cash: `cash` or `ignore`.
    """
    allowInstrumentSelection: bool
    """
    Whether the customer may add funds.
    """
    instruments: NotRequired[list[JourneyTransferInstrument] | None]
    """
    Funds to transfer as units; when left out, `defaultUnitsOutput` applies to all.
    """


class JourneyTransferCustodian(TypedDict):
    """
    Transfers from one custodian.
    """

    custodian: str
    """
    Id from the client's list of custodians.
    """
    accounts: list[JourneyTransferAccount]
    """
    The accounts there.
    """


class LegalEntity(TypedDict):
    """
    An organisation that owns an account.
    """

    ownerType: Literal["legal_entity"]
    name: str
    crn: Crn
    type: NotRequired[str]
    """
    Legal form, such as `aktiebolag`.
    """
    registrationCountry: str | None
    """
    ISO 3166-1 alpha-2.
    """
    countriesOfTaxation: list[str] | None
    """
    ISO 3166-1 alpha-2 each.
    """
    address: Address | None
    contactPerson: ContactPerson | None
    signatoryGroups: list[Signatory]
    """
    Groups of persons who sign together.
    """


class LegalEntityOwner(TypedDict):
    """
    An organisation that owns an account.
    """

    ownerType: Literal["legal_entity"]
    """
    Type of the owner.
    """
    name: str
    """
    The registered name.
    """
    crn: Crn
    """
    The organisation number, ten digits.
    """
    type: NotRequired[str | None]
    """
    Its legal form.
    """
    registrationCountry: NotRequired[str | None]
    """
    Where it is registered.
    """
    countriesOfTaxation: NotRequired[list[str] | None]
    """
    Countries of taxation.
    """
    address: NotRequired[AddressSetup | None]
    """
    Postal address.
    """
    contactPerson: NotRequired[ContactPersonSetup | None]
    """
    Its contact person.
    """
    signatoryGroups: NotRequired[list[SignatorySetup] | None]
    """
    Its signatories. Default: none.
    """


class OpenAccountRequest(TypedDict):
    """
    An account to open without a journey.
    """

    clientId: Id
    accountType: AccountType
    """
    Type of the account.
    """
    owner: NotRequired[NaturalPersonOwner | LegalEntityOwner | None]
    name: NotRequired[str | None]
    """
    Display name.
    """
    serviceType: NotRequired[ServiceType | None]
    """
    Service that the client offers for it. Default: `executionOnly`.
    """
    category: NotRequired[Category | None]
    """
    Investor protection category of the owner. Default: `retail`.
    """
    cash: NotRequired[Money | None]
    """
    Cash in SEK. Default: none.
    """
    positions: NotRequired[list[PositionSetup] | None]
    """
    Fund units in it. Default: none.
    """
    bankAccounts: NotRequired[list[BankAccountSetup] | None]
    """
    Bank accounts for payouts and autogiro charges. Default: none.
    """
    fundKnowledge: NotRequired[bool | None]
    """
    Whether the owner has answered the question on complex funds. Default: true.
    """


Owner: TypeAlias = NaturalPerson | LegalEntity
"""
Who owns the account.
"""


class WhyChange(TypedDict):
    """
    One change, and what caused it.
    """

    at: Timestamp
    """
    Time of the world's clock.
    """
    input: int | None
    """
    Number of the input that caused it, which `fork` and `rewind` take where it is not from before a fork; null when nobody knows
    any more.
    """
    act: str | None
    """
    What the input is: `command`, `time passes`, `settings`, `permissions`, `opening`, or the name of a decision of the host; null
    when it is no longer kept.
    """
    command: str | None
    """
    The command, in the program's words.
    """
    timer: str | None
    """
    What fired when time passed; null when the input itself did it.
    """
    request: WhyRequest | None
    bookings: list[WhyBooking]
    """
    What was booked, or settled, or aborted.
    """
    events: list[WhyEvent]
    """
    The events of the change; none when it has no event, or when they are no longer kept.
    """


class CallbackBody(TypedDict):
    """
    What is posted to `callbackUrl` when a journey becomes canceled, error or complete.
    """

    id: Id
    """
    Journey.
    """
    status: str
    context: NotRequired[str | None]
    """
    Where the user left.
    """
    error: NotRequired[CallbackError | None]
    scope: NotRequired[str | None]
    """
    The value given at creation, byte for byte.
    """
    result: NotRequired[JourneyResult | None]


class Account(TypedDict):
    """
    An investment account.
    """

    id: Id
    sortedId: SortedId
    ref: AccountRef
    name: str
    """
    Name chosen by the partner or the end customer.
    """
    accountType: AccountType
    status: AccountStatus
    serviceType: ServiceType
    owner: Owner
    balance: Money
    """
    Cash free for use: settled credits minus all debits that are not aborted, settled or not.
    """
    amounts: Amounts
    positions: list[Position]
    """
    One entry for each instrument held, ordered by instrument.
    """
    category: Category
    deleted: bool
    """
    Whether the account is closed for good; it stays readable.
    """
    clientId: Id
    bankAccounts: list[BankAccount]
    """
    Bank accounts that the owner has connected with this client.
    """
    currency: Currency
    createdDate: Timestamp
    modifiedDate: Timestamp
    deletedDate: NotRequired[Timestamp]


class AccountFees(TypedDict):
    """
    The fees of an account, explained.
    """

    account: Id
    at: Timestamp
    accruing: FeesAccruing
    charging: FeesCharging | None
    refunds: list[FeeRefunding]
    lastCharge: FeesCharged | None
    isFinal: bool
    retrocessions: Retrocessions
    transactions: list[FeeTransaction]


class AccountSetup(TypedDict):
    """
    An account to open.
    """

    accountType: AccountType
    """
    Type of the account.
    """
    owner: NotRequired[NaturalPersonOwner | LegalEntityOwner | None]
    name: NotRequired[str | None]
    """
    Display name.
    """
    serviceType: NotRequired[ServiceType | None]
    """
    Service that the client offers for it. Default: `executionOnly`.
    """
    category: NotRequired[Category | None]
    """
    Investor protection category of the owner. Default: `retail`.
    """
    cash: NotRequired[Money | None]
    """
    Cash in SEK. Default: none.
    """
    positions: NotRequired[list[PositionSetup] | None]
    """
    Fund units in it. Default: none.
    """
    bankAccounts: NotRequired[list[BankAccountSetup] | None]
    """
    Bank accounts for payouts and autogiro charges. Default: none.
    """
    fundKnowledge: NotRequired[bool | None]
    """
    Whether the owner has answered the question on complex funds. Default: true.
    """


class ClientSetup(TypedDict):
    """
    A company that holds power of attorney for its customers.
    """

    id: NotRequired[Id | None]
    """
    Its id. Default: drawn from the seed.
    """
    name: str
    """
    Its registered name.
    """
    displayName: NotRequired[str | None]
    """
    Name shown to customers. Default: the name.
    """
    crn: Crn
    """
    Its organisation number, ten digits.
    """
    country: NotRequired[str | None]
    """
    Where it is registered. Default: `SE`.
    """
    bankAccounts: NotRequired[list[ClientBankAccount] | None]
    """
    Bank accounts that receive its fees.
    """
    serviceTypes: NotRequired[list[ServiceType] | None]
    """
    Services that it offers for accounts. Default: all.
    """
    permissions: NotRequired[PermissionsSetup | None]
    """
    Permissions. Default: all.
    """
    partnerFee: NotRequired[FeeTermsSetup | None]
    """
    Fee of its partner. Default: none.
    """
    clientFee: NotRequired[FeeTermsSetup | None]
    """
    Its own fee. Default: none.
    """
    withdrawalNeedsSignature: NotRequired[bool | None]
    """
    Whether its partner may only instruct withdrawals that the customer has signed.
    """
    universe: NotRequired[list[InstrumentId] | None]
    """
    The funds it offers. Default: all.
    """
    accounts: NotRequired[list[AccountSetup] | None]
    """
    Accounts that exist at the start.
    """


class JourneyTransfer(TypedDict):
    """
    Transfers from other custodians.
    """

    enforce: TransferEnforce
    """
    Whether the customer may skip the step.
    """
    transfers: list[JourneyTransferCustodian]
    """
    One entry for each custodian; a custodian may be named again.
    """


class PartnerSetup(TypedDict):
    """
    A partner with its clients.
    """

    name: str
    """
    Its name.
    """
    clients: list[ClientSetup]
    """
    Its clients.
    """
    clientId: NotRequired[str | None]
    """
    Client id for token requests: a UUID that no other partner of the server has. Default: derived from the server's key.
    """
    clientSecret: NotRequired[str | None]
    """
    Client secret, never shown in responses of the world. Default: derived from the server's key.
    """


class SetupFile(TypedDict):
    """
    Setup of a world. Absent fields are as in the demo world.
    """

    name: NotRequired[str | None]
    """
    Display name of the world. Default: `demo`.
    """
    partners: NotRequired[list[PartnerSetup] | None]
    """
    Users of the API. Default: those of the demo world.
    """
    instruments: NotRequired[list[InstrumentSetup] | None]
    """
    Funds. Default: those of the demo world.
    """
    rates: NotRequired[list[RateSetup] | None]
    """
    First exchange rates. Default: those of the demo world.
    """
    custodians: NotRequired[list[CustodianSetup] | None]
    """
    Institutions that holdings can be transferred from. Default: those of the demo world.
    """
    history: NotRequired[HistorySetup | None]
    """
    More accounts beside those of the clients, with a history of orders and payments drawn from the seed. Default: none.
    """
    settings: NotRequired[SetupFileSettings | None]
    """
    Settings of the world and of its API. Each has a default.
    """


class Why(TypedDict):
    """
    Explanation of the state of a resource, an event or a delivery.
    """

    id: Id
    what: str
    """
    What the id names: `event`, `delivery`, `webhook`, or a resource such as `order`.
    """
    resource: Id
    """
    The resource whose changes these are.
    """
    total: int
    """
    Number of kept changes.
    """
    forgotten: int
    """
    Number of earlier events that are no longer kept. Changes among them are unknown.
    """
    note: NotRequired[str]
    """
    Why there are no changes, when there are none.
    """
    delivery: NotRequired[WhyDelivery]
    """
    The delivery, when the id names one.
    """
    explanations: list[WhyExplanation]
    """
    Why the resource is in its state; absent without an explanation.
    """
    settlementDay: NotRequired[str]
    """
    The day on which an order settles, or is expected to.
    """
    changes: list[WhyChange]
    """
    The last changes, oldest first.
    """


class CreateAccountConfiguration(TypedDict):
    """
    Configuration of a `createAccount` journey.
    """

    journeyType: Literal["createAccount"]
    """
    What kind of journey it is.
    """
    accountTypes: list[AccountType]
    """
    Account types to choose from; one locks the choice.
    """
    accountServiceType: ServiceType
    """
    What the client does for the account.
    """
    accountCategories: NotRequired[list[Category] | None]
    """
    Categories to choose from; required when the client permits both.
    """
    accountName: NotRequired[str | None]
    """
    Name of the account; the customer chooses when it is left out.
    """
    email: NotRequired[str | None]
    """
    The customer's e-mail address.
    """
    ssn: NotRequired[Ssn | None]
    """
    Who signs.
    """
    autogiro: NotRequired[JourneyAutogiro | None]
    """
    Whether a mandate is asked for.
    """
    instruments: NotRequired[list[JourneyInstrument] | None]
    """
    Funds the owner wants to buy, offered in the plans.
    """
    paymentAccount: NotRequired[JourneyPaymentAccount | None]
    """
    The bank account to charge.
    """
    allocationPlan: NotRequired[JourneyAllocationPlan | None]
    """
    Null hides the step.
    """
    savingsPlan: NotRequired[JourneySavingsPlan | None]
    """
    What is bought every month; null hides the step of a journey that does not require it.
    """
    kycs: NotRequired[list[JourneyKycAnswer] | None]
    """
    Answers known beforehand.
    """
    transfer: NotRequired[JourneyTransfer | None]
    """
    Null hides the step.
    """
    welcomeScreen: NotRequired[WelcomeScreen | None]
    """
    Only together with `transfer`.
    """


JourneyConfiguration: TypeAlias = CreateAccountConfiguration | CreateLegalEntityAccountConfiguration | AddBankAccountConfiguration | SignWithdrawalConfiguration | UpdateAllocationPlanConfiguration | UpdateSavingsPlanConfiguration | SignSubmissionConfiguration | KycRenewalConfiguration
"""
Configuration of a journey. The journey type determines which fields are required, allowed and refused.
"""


class JourneyRequest(TypedDict):
    """
    Starts a journey.
    """

    journey: JourneyConfiguration
    callbackUrl: str
    """
    Receives one POST when the journey becomes `canceled`, `error` or `complete`; https in production, no fragment.
    """
    redirectUrl: NotRequired[str | None]
    """
    Address that the electronic-identity app returns to. Schemes that can run code are refused.
    """
    completionRedirectUrl: NotRequired[str | None]
    """
    Address that the browser goes to after completion. Schemes that can run code are refused.
    """
    scope: NotRequired[str | None]
    """
    Base64 value that the callback returns.
    """


class MakeRequest(TypedDict):
    """
    The world to create. Every field has a default.
    """

    name: NotRequired[str | None]
    """
    Display name.
    """
    seed: NotRequired[int | None]
    """
    Seed of the world; drawn when left out. The same seed gives the same course of events.
    """
    start: NotRequired[str | None]
    """
    A timestamp; now when left out.
    """
    setup: NotRequired[SetupFile | None]
    """
    Setup of the world; the demo world when left out.
    """
    clock: NotRequired[str | Decimal | int | None]
    """
    `frozen`, `real`, or world seconds for each real second; the server's `--clock` when left out.
    """


class Journey(TypedDict):
    """
    A hosted, time-limited flow that an end customer completes.
    """

    id: Id
    sortedId: SortedId
    type: JourneyType
    """
    As `journey.journeyType`.
    """
    status: JourneyStatus
    clientId: Id
    url: str
    """
    Link for the end customer, valid for this journey only, until `expiryDate`.
    """
    expiryDate: Timestamp
    journey: JourneyConfiguration
    submission: Id | None
    callbackUrl: str
    redirectUrl: str | None
    completionRedirectUrl: str | None
    errorCode: ErrorCode | None
    context: JourneyStep | None
    scope: str | None
    """
    The value given at creation, byte for byte.
    """
    result: JourneyResult | None
    deleted: bool
    createdDate: Timestamp
    modifiedDate: Timestamp
    deletedDate: Timestamp | None


class JourneyList(TypedDict):
    """
    Journeys that were started.
    """

    total: int
    """
    Number that match the query, whatever the limit.
    """
    journeys: list[Journey]
