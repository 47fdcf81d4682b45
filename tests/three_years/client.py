"""One customer's three years, 2026 to 2028, by a partner that checks every answer.

usage: client.py FUNDSIM_BINARY FOLDER [SEED]

Plays the plan against a running server, second by second of its calendar, and writes down what the partner API shows at the end of
every day. Books kept beside it, in decimals, by the published rules (books.py), must agree with every balance, position, average
acquisition value, transaction and daily return. Then the same comparison must fail where one thing is changed: a number that was
read by its last digit, or a rule of the books.
"""

import copy
import sys
import time
from dataclasses import replace
from datetime import timedelta
from decimal import ROUND_DOWN, ROUND_UP, Decimal

import arithmetic
import bank_days
import plan
from arithmetic import Terms
from bank_days import DAY, local
from books import LAST_SECOND, Books, Impossible, text
from service import Service

SEED = 2026


class Partner:
    """Carries the plan out, and keeps what it reads."""

    def __init__(self, service):
        self.service = service
        self.references = 0
        opened = service.post(
            "/simulations/account", clientId=service.client, accountType="isk",
            owner={"ownerType": "natural_person", "firstName": "Vera", "lastName": "Provsson", "ssn": "198112189876"},
            bankAccounts=[{"iban": plan.IBAN, "validated": True, "mandateStatus": "active"}])
        self.account, self.ref = opened["id"], opened["ref"]
        self.bank, self.executor = opened["bankAccounts"][0]["id"], opened["owner"]["ssn"]

    def journey(self, kind, answers, **configuration):
        made = self.service.post("/journey", callbackUrl="http://127.0.0.1:9/callback",
                                 journey={"journeyType": kind, "account": self.account, **configuration})
        done = self.service.post(f"/simulations/journey/{made['id']}/complete", answers=answers)
        assert done["status"] == "complete", done

    def allocate(self):
        parts = [{"instrument": fund, "allocation": percent} for fund, percent in plan.ALLOCATION]
        self.journey("updateAllocationPlan", {}, allocationPlan={"depositType": "manual", "instruments": parts})

    def save(self):
        answers = {f"amount.{fund}": str(amount) for fund, amount in plan.SAVED}
        funds = [{"instrument": fund} for fund, _ in plan.SAVED]
        self.journey("updateSavingsPlan", {"savingsPlan": {**answers, "day": plan.SAVING_DAY}},
                     savingsPlan={"periodicity": "monthly", "instruments": funds})

    def mobile(self, amount):
        self.service.post(f"/account/{self.account}/deposit/mobilepay", type="same_device", amount=amount)

    def bankgiro(self, amount):
        self.service.post("/simulations/bankgiro", ref=self.ref, amount=amount)

    def autogiro(self, amounts):
        payments = []
        for amount in amounts:
            self.references += 1
            payments.append({"account": self.account, "amount": amount, "clientRef": f"charge {self.references}"})
        self.service.post("/instruction/payment", type="autogiro", payments=payments)

    def order(self, path="/order", **order):
        return self.service.post(path, account=self.account, **order)["id"]

    def buy(self, fund, amount):
        return self.order(orderType="subscription", instrument=fund, amount=amount)

    def buy_and_cancel(self, fund, amount):
        order = self.buy(fund, amount)
        self.service.advance(text(self.now + timedelta(minutes=30)))
        assert self.service.delete(f"/order/{order}")["status"] == "canceled"

    def sell(self, fund, units):
        self.order(orderType="redemption", instrument=fund, units=units)

    def sell_and_withdraw(self, fund, units):
        self.order("/order/withdrawal", orderType="redemption", instrument=fund, units=units, bankAccount=self.bank,
                   executorRef=self.executor)

    def withdraw(self, amount):
        """So much, or all that can be spent."""
        how = {"withdrawalType": "full"} if amount is None else {"withdrawalType": "amount", "amount": amount}
        self.service.post(f"/account/{self.account}/withdrawal", bankAccount=self.bank, executorRef=self.executor, **how)

    def split(self, fund, factor):
        self.service.post(f"/simulations/instrument/{fund}/split", factor=factor)

    def partner_fee(self, basis_points):
        self.service.post(f"/simulations/client/{self.service.client}/fees",
                          partnerFee={"basisPoints": int(basis_points), "mode": "withdrawn"})

    def dividend(self, amount):
        self.service.post(f"/simulations/account/{self.account}/book", transactionType="settlement", refType="dividend",
                          amount=amount)

    def close_account(self):
        assert self.service.delete(f"/account/{self.account}")["status"] == "closing"

    def live(self):
        """All that was read in three years."""
        service, acts, nights, day = self.service, list(plan.ACTS), {}, plan.FIRST
        while day <= plan.LAST:
            night = local(day, *LAST_SECOND)
            while acts and acts[0][0] <= night:
                self.now, kind, *what = acts.pop(0)
                service.advance(text(self.now))
                getattr(self, kind.replace(" ", "_"))(*what)
            service.advance(text(night))
            shown = service.get(f"/account/{self.account}")
            nights[day] = {"account": shown, "value": service.get(f"/account/{self.account}/value")["value"]}
            day += DAY
        service.advance(text(local(plan.LAST + DAY, 0, 1)))
        return {
            "nights": nights,
            "cash": service.get(f"/account/{self.account}/transaction/cash"),
            "units": service.get(f"/account/{self.account}/transaction/fund"),
            "performance": service.get(f"/account/{self.account}/performance"),
            "owner": service.get("/performance", ssn=self.executor),
        }

    def market(self):
        """Terms and published prices of the funds: what the books take as given."""
        funds = {fund: self.service.get(f"/v2/partner/instrument/{fund}") for fund in plan.FUNDS}
        prices = {}
        for fund in plan.FUNDS:
            prices[fund], start = [], plan.FIRST - 30 * DAY
            while start <= plan.LAST:
                end = min(start + 365 * DAY, plan.LAST)
                for one in self.service.get(f"/instrument/{fund}/prices", start=start, end=end):
                    prices[fund].append((type(start).fromisoformat(one["priceDate"]), one["closePrice"]))
                start = end + DAY
        return funds, prices


class Judge:
    """Compares, counts and remembers what differs."""

    def __init__(self):
        self.compared, self.differences = 0, []

    def same(self, what, shown, expected):
        self.compared += 1
        if shown != expected:
            self.differences.append(f"{what}: shown {shown}, in the books {expected}")

    def night(self, day, shown, books):
        account = shown["account"]
        self.same(f"{day} balance", account["balance"], books["balance"])
        self.same(f"{day} deposited", account["amounts"]["deposited"], books["deposited"])
        self.same(f"{day} withdrawn", account["amounts"]["withdrawn"], books["withdrawn"])
        self.same(f"{day} value", shown["value"], books["value"])
        self.same(f"{day} deleted", account["deleted"], books["deleted"])
        self.same(f"{day} funds", [one["instrument"] for one in account["positions"]], list(books["positions"]))
        for one in account["positions"]:
            position = books["positions"].get(one["instrument"], {})
            for key in ("units", "unitsSettled", "closePrice", "value", "gav"):
                self.same(f"{day} {key} of {one['instrument']}", one[key], position.get(key))

    def transactions(self, what, shown, booked, keys):
        order = lambda row: tuple(str(field) for field in row)
        shown = sorted((tuple(exact(key(one)) for _, key in keys) for one in shown), key=order)
        booked = sorted((tuple(exact(one[name]) for name, _ in keys) for one in booked), key=order)
        self.same(f"number of {what}", len(shown), len(booked))
        for number, (one, other) in enumerate(zip(shown, booked)):
            self.same(f"{what} {number}", one, other)

    def returns(self, shown, booked):
        self.same("number of days with returns", len(shown), len(booked))
        for one, other in zip(shown, booked):
            for key, value in other.items():
                self.same(f"{other['date']} {key}", one[key], value)


def exact(value):
    """A number without the zeros at its end."""
    return value.normalize() if isinstance(value, Decimal) else value


def day_of(key):
    return lambda one: one.get(key) and one[key][:10]


CASH = [("created", lambda it: it["createdDate"]), ("type", lambda it: it["transactionType"]),
        ("refType", lambda it: it["refType"]), ("amount", lambda it: it["amount"]),
        ("settled", day_of("settlementDate")), ("aborted", lambda it: it["aborted"])]
UNITS = [("created", lambda it: it["createdDate"]), ("type", lambda it: it["transactionType"]),
         ("refType", lambda it: it["refType"]), ("instrument", lambda it: it["instrument"]),
         ("units", lambda it: it["units"]), ("price", lambda it: it["price"]),
         ("settled", day_of("settlementDate")), ("aborted", lambda it: it["aborted"])]


def judge(read, market, terms=Terms()):
    """What differs between what was read and the books by these terms."""
    found = Judge()
    try:
        books = Books(terms, *market).live()
    except Impossible as why:
        found.differences.append(str(why))
        return found
    for day, shown in read["nights"].items():
        found.night(day, shown, books.nights[day])
    found.transactions("cash transaction", read["cash"], books.cash, CASH)
    found.transactions("fund transaction", read["units"], books.units, UNITS)
    references = {one["ref"] for one in books.cash if "ref" in one}
    found.same("references of fees and retrocessions",
               {one["ref"] for one in read["cash"] if one["transactionType"] in ("fee", "retrocession")}, references)
    returns = books.performance()
    found.returns(read["performance"], returns)
    # The account is all that its owner has.
    found.returns(read["owner"], returns)
    return found


def changed(read, place, by):
    """What was read, with one number changed by its last digit."""
    other = copy.copy(read)
    key, *path = place
    other[key] = copy.deepcopy(read[key])
    inside = other[key]
    for part in path[:-1]:
        inside = inside[part]
    inside[path[-1]] += Decimal(by)
    return other


def faults(read):
    """Changes that must be noticed, each with what is judged then."""
    day = max(day for day, night in read["nights"].items() if night["account"]["positions"])
    ore = [(("nights", day, "account", "balance"), "0.01"), (("nights", day, "value"), "-0.01"),
           (("nights", day, "account", "positions", 0, "gav"), "0.000001"),
           (("nights", day, "account", "positions", 0, "units"), "0.0001"),
           (("nights", day, "account", "amounts", "deposited"), "0.01"),
           (("cash", 1, "amount"), "0.01"), (("units", 1, "units"), "0.0001"),
           (("performance", 500, "dayReturn"), "0.0000000001"), (("performance", 500, "dayResult"), "0.01")]
    for place, by in ore:
        yield f"{' '.join(map(str, place))} by {by}", changed(read, place, by), Terms()
    right = Terms()
    for rule in [{"fee_rate": Decimal("0.00151")}, {"days_of_year": 366}, {"rebate_base": Decimal("10010")},
                 {"fee_margin": Decimal("1.01")}, {"units_rounding": ROUND_UP}, {"sale_rounding": ROUND_DOWN},
                 {"value_rounding": ROUND_DOWN}, {"gains_are_flows": True}, {"split_moves_cost": True}]:
        yield f"books with {rule}", read, replace(right, **rule)


def main(binary, folder, seed=SEED):
    vectors = bank_days.self_test() + arithmetic.self_test()
    print(f"arithmetic: {vectors} worked examples come out")
    begun = time.monotonic()
    service = Service(binary, seed, plan.START)
    try:
        partner = Partner(service)
        read = partner.live()
        market = partner.market()
        service.plays_again(binary, folder)
    finally:
        service.stop()
    played = time.monotonic() - begun
    print(f"played: {len(read['nights'])} days, {len(plan.ACTS)} acts, {service.requests} requests in {played:.0f} s; "
          f"{len(read['cash'])} cash transactions, {len(read['units'])} fund transactions, "
          f"{len(read['performance'])} daily returns")
    found = judge(read, market)
    for difference in found.differences[:20]:
        print("  " + difference)
    if found.differences:
        sys.exit(f"{len(found.differences)} of {found.compared} comparisons differ")
    print(f"agreed: {found.compared} comparisons, to the last digit")
    noticed = 0
    for what, faulty, terms in faults(read):
        if not judge(faulty, market, terms).differences:
            sys.exit(f"nothing was noticed of {what}")
        noticed += 1
    print(f"noticed: {noticed} of {noticed} planted faults, each of them an ore, a last digit or one wrong rule")
    if service.process.returncode != 0:
        sys.exit(f"the server ended with {service.process.returncode}")


if __name__ == "__main__":
    main(*sys.argv[1:])
