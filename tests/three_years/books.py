"""The books of the customer as they must be, kept by somebody who has never seen those of the service.

Given are the acts of the plan, the terms of the funds and the prices that were published. All else follows: when money and
units come and go, what they cost, what accrues by the day and is charged and paid by the quarter, and what each day returns.
"""

import heapq
from bisect import bisect_right
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import plan
from arithmetic import (ONE, ROUND_UP, ZERO, Holding, bought, charge, day_return, divided, fee_of_day, kickback_of_day,
                        rounded, worth)
from bank_days import DAY, fund_day, is_bank_day, later, local, local_day, on_or_after

SECOND = timedelta(seconds=1)
LAST_SECOND = (23, 59, 59)


def text(instant):
    return instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def quarter(day):
    return f"{day.year}Q{(day.month + 2) // 3}"


def quarter_starts():
    return [date(y, m, 1) for y in range(2026, 2030) for m in (1, 4, 7, 10)][1:]


class Impossible(Exception):
    """Books in which more goes than there is."""


class Books:
    def __init__(self, terms, funds, prices):
        self.terms, self.funds = terms, funds
        self.prices = {fund: dict(known) for fund, known in prices.items()}
        self.published = {fund: [local(day, 18, 30) for day, _ in known] for fund, known in prices.items()}
        self.days_priced = {fund: [day for day, _ in known] for fund, known in prices.items()}
        self.queue, self.number = [], 0
        self.balance = self.deposited = self.withdrawn = self.on_its_way = ZERO
        self.held = {}
        self.cash, self.units = [], []
        self.splits = {}
        self.allocation, self.saving = [], []
        self.rates = {"service_fee": terms.fee_rate, "partner_fee": ZERO}
        self.carry, self.accrued = dict.fromkeys(self.rates, ZERO), {}
        self.arrears = dict.fromkeys(self.rates, ZERO)
        self.kickbacks = {}
        self.nights, self.days = {}, []
        self.flow = {}
        self.closing = self.deleted = None
        self.open_sales = 0

    # Time

    def when(self, instant, do, *what):
        self.number += 1
        heapq.heappush(self.queue, (instant, self.number, do, what))

    def live(self):
        for instant, kind, *what in plan.ACTS:
            self.when(instant, getattr(self, kind.replace(" ", "_")), *what)
        for start in quarter_starts():
            self.when(local(on_or_after(start), 6), self.charge_fees, start - DAY)
            self.when(local(later(start - DAY, 10), 9), self.pay_kickbacks, start - DAY)
        month = plan.FIRST.replace(day=1)
        while month <= plan.LAST:
            self.when(local(on_or_after(month.replace(day=plan.SAVING_DAY)), 6), self.charge_savings)
            month = (month + 31 * DAY).replace(day=1)
        day = plan.FIRST
        while day <= plan.LAST:
            self.when(local(day, *LAST_SECOND), self.night, day)
            day += DAY
        while self.queue:
            self.now, _, do, what = heapq.heappop(self.queue)
            do(*what)
        return self

    # Prices

    def close(self, fund):
        """The last price that is known now, as it is since the last split."""
        last = bisect_right(self.published[fund], self.now) - 1
        price = self.prices[fund][self.days_priced[fund][last]]
        for instant, factor in self.splits.get(fund, []):
            if instant > self.published[fund][last]:
                price = rounded(price / factor, 6)
        return price

    def price_of(self, fund, day):
        return self.prices[fund][day]

    # Cash

    def book(self, kind, ref_type, amount, settled=True, **more):
        entry = {"type": kind, "refType": ref_type, "amount": amount, "created": text(self.now), "aborted": False,
                 "settled": str(local_day(self.now)) if settled else None, **more}
        self.cash.append(entry)
        comes = kind in ("deposit", "redemption", "retrocession", "settlement")
        self.balance += amount if comes else -amount
        if kind in ("deposit", "withdrawal"):
            today = local_day(self.now)
            self.flow[today] = self.flow.get(today, ZERO) + (amount if kind == "deposit" else -amount)
        if self.balance < 0:
            raise Impossible(f"{entry} leaves {self.balance}")
        return entry

    def deposit(self, amount, then):
        self.book("deposit", "payment", amount)
        self.deposited += amount
        then(amount)

    def withdrawal(self, amount, ref_type):
        entry = self.book("withdrawal", ref_type, amount, settled=False)
        self.withdrawn += amount
        today = local_day(self.now)
        in_time = is_bank_day(today) and self.now < local(today, 12)
        paid = later(today, 1) if in_time else later(on_or_after(today), 1 if not is_bank_day(today) else 2)
        self.when(local(paid, 9), entry.__setitem__, "settled", str(paid))
        return paid

    # Orders

    def buy(self, fund, amount):
        cancelable = {"entry": None}
        self.when(self.now + SECOND, self.bought_pending, fund, amount, self.now, cancelable)
        return cancelable

    def bought_pending(self, fund, amount, placed, order):
        order["entry"] = entry = self.book("subscription", "order", amount, settled=False)
        self.on_its_way += amount
        traded = fund_day(placed, self.funds[fund]["cutOffTime"])
        settles = later(traded, int(self.funds[fund]["subscriptionSettlementDays"]))
        self.when(local(settles, 9), self.bought_settled, fund, amount, traded, entry)

    def bought_settled(self, fund, amount, traded, entry):
        if entry["aborted"]:
            return
        price = self.price_of(fund, traded)
        units = bought(amount, price, int(self.funds[fund]["decimalsUnits"]), self.terms)
        entry["settled"] = str(local_day(self.now))
        self.on_its_way -= amount
        self.held.setdefault(fund, Holding()).come(units, amount)
        self.move("subscription", "order", fund, units, price, traded)

    def sell(self, fund, units, ended=lambda amount: None):
        self.open_sales += 1
        self.when(self.now + SECOND, self.sold_pending, fund, units, self.now, ended)

    def sold_pending(self, fund, units, placed, ended):
        self.held[fund].leaving += units
        traded = fund_day(placed, self.funds[fund]["cutOffTime"])
        settles = later(traded, int(self.funds[fund]["redemptionSettlementDays"]))
        entry = self.move("redemption", "order", fund, units, None, None, settled=False)
        self.when(local(settles, 9), self.sold_settled, fund, units, traded, entry, ended)

    def sold_settled(self, fund, units, traded, entry, ended):
        price = self.price_of(fund, traded)
        held = self.held[fund]
        held.leaving -= units
        held.go(units)
        entry.update(price=price, traded=str(traded), settled=str(local_day(self.now)))
        amount = rounded(units * price, 2, self.terms.sale_rounding)
        self.book("redemption", "order", amount)
        self.open_sales -= 1
        ended(amount)
        if self.closing and not self.open_sales:
            # A closing account is looked at on bank days at 09:30.
            self.when(local(local_day(self.now), 9, 30), self.pay_out)

    def move(self, kind, ref_type, fund, units, price, traded, settled=True):
        entry = {"type": kind, "refType": ref_type, "instrument": fund, "units": units, "price": price,
                 "created": text(self.now), "traded": traded and str(traded), "aborted": False,
                 "settled": str(local_day(self.now)) if settled else None}
        self.units.append(entry)
        return entry

    # The acts of the plan

    def allocate(self):
        self.allocation = plan.ALLOCATION

    def save(self):
        self.saving = plan.SAVED

    def mobile(self, amount):
        self.when(self.now + 4 * SECOND, self.deposit, amount, self.allocated)

    def bankgiro(self, amount):
        today = local_day(self.now)
        in_time = is_bank_day(today) and self.now < local(today, 15)
        booked = later(today, 1) if in_time else later(on_or_after(today + DAY), 1)
        self.when(local(booked, 9), self.deposit, amount, self.allocated)

    def autogiro(self, amounts):
        for amount in amounts:
            self.charge_bank(amount, self.allocated)

    def charge_bank(self, amount, then):
        today = local_day(self.now)
        cut = today if is_bank_day(today) and self.now < local(today, 15) else on_or_after(today + DAY)
        self.when(local(later(cut, 1), 10), self.deposit, amount, then)

    def allocated(self, amount):
        if not self.allocation:
            return
        parts = divided(amount, [percent for _, percent in self.allocation])
        for (fund, _), part in zip(self.allocation, parts):
            if part >= self.funds[fund]["minInvestmentAmountSEK"]:
                self.buy(fund, part)

    def charge_savings(self):
        if self.saving:
            saved = list(self.saving)
            self.charge_bank(sum(amount for _, amount in saved), lambda _: [self.buy(*one) for one in saved])

    def sell_and_withdraw(self, fund, units):
        self.sell(fund, units, lambda amount: self.withdrawal(amount, "order"))

    def withdraw(self, amount):
        self.withdrawal(self.balance if amount is None else amount, "text")

    def buy_and_cancel(self, fund, amount):
        self.when(self.now + timedelta(minutes=30), self.cancel, self.buy(fund, amount))

    def cancel(self, order):
        order["entry"]["aborted"] = True
        self.balance += order["entry"]["amount"]
        self.on_its_way -= order["entry"]["amount"]

    def split(self, fund, factor):
        self.when(local(local_day(self.now), 9, 15), self.carry_out_split, fund, factor)

    def carry_out_split(self, fund, factor):
        self.splits.setdefault(fund, []).append((self.now, factor))
        held = self.held[fund]
        added = held.split(factor)
        if self.terms.split_moves_cost:
            held.cost *= factor
        kind = "subscription" if added > 0 else "redemption"
        self.move(kind, "ca", fund, abs(added), ZERO, None)

    def dividend(self, amount):
        self.book("settlement", "dividend", amount)

    def partner_fee(self, basis_points):
        self.rates["partner_fee"] = basis_points / 10000

    def close_account(self):
        self.allocation, self.saving = [], []
        self.closing = self.now
        for fund, held in self.held.items():
            if held.units - held.leaving:
                self.sell(fund, held.units - held.leaving)

    # Fees, and what fund companies give back

    def night(self, day):
        """The last second of a day: what is then, and what accrues of it."""
        positions, value = {}, self.balance + self.on_its_way
        for fund, held in sorted(self.held.items()):
            if held.units:
                close = rounded(self.close(fund), 6)
                left = held.units - held.leaving
                value += worth(held.units, close, self.terms)
                positions[fund] = {"units": left, "unitsSettled": held.units, "closePrice": close,
                                   "value": worth(left, close, self.terms), "gav": held.gav}
        if not self.deleted or day <= self.deleted:
            self.days.append((day, value))
        self.nights[day] = {"balance": self.balance, "deposited": self.deposited, "withdrawn": self.withdrawn,
                            "positions": positions, "value": value, "deleted": bool(self.deleted)}
        if self.deleted:
            return
        # An account that is closing still holds units and cash, and both count until they have left.
        for kind, rate in self.rates.items():
            of = (quarter(day), kind)
            self.accrued[of] = self.accrued.get(of, ZERO) + fee_of_day(value, rate, self.terms)
        for fund, held in self.held.items():
            if held.units:
                owed = kickback_of_day(held.units, self.close(fund), self.funds[fund]["rebate"], self.terms)
                of = (fund, quarter(day))
                self.kickbacks[of] = self.kickbacks.get(of, ZERO) + owed

    def charge_fees(self, last):
        """The fee of a quarter: from the cash, or from the largest position first."""
        if self.closing:
            return
        amounts = self.fees_of(quarter(last))
        total = sum(amounts.values())
        short = total - min(self.balance, total)
        if short < self.terms.smallest_sale:
            short = ZERO
        positions = [(self.held[fund].units - self.held[fund].leaving, fund) for fund in self.held]
        by_value = sorted(positions, key=lambda it: (-worth(it[0], self.close(it[1]), self.terms), it[1]))
        waiting = {"amounts": amounts, "quarter": quarter(last), "sales": 0}
        for sellable, fund in by_value:
            if short <= 0:
                break
            close, decimals = self.close(fund), int(self.funds[fund]["decimalsUnits"])
            units = min(sellable, rounded(short * self.terms.fee_margin / close, decimals, ROUND_UP))
            if not worth(units, close, self.terms):
                continue
            short -= units * close / self.terms.fee_margin
            waiting["sales"] += 1
            self.sell(fund, units, lambda _: self.fee_sold(waiting))
        if not waiting["sales"]:
            self.take_fee(waiting)

    def fees_of(self, of):
        """What a quarter comes to, by kind; what is less than an ore waits for the next one."""
        amounts = {}
        for kind in self.rates:
            amounts[kind], self.carry[kind] = charge(self.carry[kind] + self.accrued.pop((of, kind), ZERO))
            amounts[kind] += self.arrears[kind]
            self.arrears[kind] = ZERO
        return amounts

    def fee_sold(self, waiting):
        waiting["sales"] -= 1
        if not waiting["sales"]:
            self.take_fee(waiting)

    def take_fee(self, due):
        for kind, amount in due["amounts"].items():
            paid = min(amount, self.balance)
            self.arrears[kind] += amount - paid
            if paid:
                self.book("fee", kind, paid, ref=due["quarter"])

    def pay_kickbacks(self, last):
        if self.closing and self.now > self.closing:
            return
        for fund, of in sorted(self.kickbacks):
            if of == quarter(last):
                self.pay_kickback(fund, of)

    def pay_kickback(self, fund, of):
        amount = rounded(self.kickbacks.pop((fund, of)), 2)
        if amount:
            self.book("retrocession", "text", amount, ref=f"{fund}-{of}")

    def pay_out(self):
        """The end: all that is still due either way, and then the rest."""
        for fund, of in sorted(self.kickbacks):
            self.pay_kickback(fund, of)
        for of in sorted({of for of, _ in self.accrued}):
            self.take_fee({"amounts": self.fees_of(of), "quarter": of})
        paid = self.withdrawal(self.balance, "text")
        self.when(local(later(paid, 1), 9), self.delete)

    def delete(self):
        self.deleted = local_day(self.now)

    # Returns

    def performance(self):
        entries, growth, opening = [], ONE, ZERO
        first = min(self.flow)
        for day, closing in self.days:
            if day >= first:
                flow = self.flow.get(day, ZERO)
                if self.terms.gains_are_flows:
                    flow += sum((e["amount"] for e in self.cash if e["type"] == "retrocession" and e["settled"] == str(day)), ZERO)
                gained = day_return(opening, flow, closing)
                growth *= 1 + gained
                entries.append({"date": str(day), "dayReturn": gained, "dayResult": closing - flow - opening,
                                "cumulativeReturn": rounded(growth - 1, 10)})
            opening = closing
        return entries
