"""Money, units, average acquisition values, fees and returns in decimals, to the last digit."""

from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal, getcontext

getcontext().prec = 50
ZERO, ONE = Decimal(0), Decimal(1)


def rounded(number, places, how=ROUND_HALF_UP):
    """Halves go away from zero."""
    return number.quantize(ONE.scaleb(-places), how)


@dataclass
class Terms:
    """What the arithmetic takes as given; a test that changes one passes it here."""

    fee_rate: Decimal = Decimal("0.0015")
    days_of_year: int = 365
    rebate_base: Decimal = Decimal(10000)
    fee_margin: Decimal = Decimal("1.02")
    smallest_sale: Decimal = Decimal("10.00")
    value_rounding: str = ROUND_HALF_UP
    units_rounding: str = ROUND_DOWN
    sale_rounding: str = ROUND_HALF_UP
    gains_are_flows: bool = False
    split_moves_cost: bool = False


def bought(amount, price, decimals, terms):
    return rounded(amount / price, decimals, terms.units_rounding)


def worth(units, price, terms):
    return rounded(units * price, 2, terms.value_rounding)


def divided(amount, percents):
    """In whole ore by the largest remainder; at a tie the earlier one."""
    exact = [amount * percent for percent in percents]
    parts = [rounded(part / 100, 2, ROUND_DOWN) for part in exact]
    order = sorted(range(len(parts)), key=lambda i: (-(exact[i] / 100 - parts[i]), i))
    for i in order[: int((amount - sum(parts)) * 100)]:
        parts[i] += Decimal("0.01")
    return parts


@dataclass
class Holding:
    """Units with what was paid for them."""

    units: Decimal = ZERO
    cost: Decimal = ZERO
    leaving: Decimal = ZERO
    accrued: dict = field(default_factory=dict)

    @property
    def gav(self):
        return rounded(self.cost / self.units, 6) if self.units else ZERO

    def come(self, units, cost):
        self.units += units
        self.cost += cost

    def go(self, units):
        self.cost -= self.cost * units / self.units
        self.units -= units
        if not self.units:
            self.cost = ZERO

    def split(self, factor):
        """The units that it adds."""
        before, self.units = self.units, rounded(self.units * factor, 7)
        return self.units - before


def fee_of_day(value, rate, terms):
    return rounded(max(value, ZERO) * rate / terms.days_of_year, 10)


def charge(carry):
    """What is charged of a sum that has accrued, and what is carried on."""
    whole = max(rounded(carry, 2), ZERO)
    return whole, carry - whole


def kickback_of_day(units, price, rebate, terms):
    return rounded(units * price * rebate / terms.rebate_base / terms.days_of_year, 10)


def day_return(opening, flow, closing):
    if opening > 0:
        base = opening + flow if closing < flow else opening
        exact = (closing - flow - opening) / base if base else ZERO
    elif flow > 0:
        exact = closing / flow - 1
    else:
        exact = ZERO
    return rounded(exact, 10)


def self_test():
    d, terms = Decimal, Terms()
    checks = 0

    def same(got, expected):
        nonlocal checks
        checks += 1
        assert got == d(expected), (got, expected)

    # The average method.
    held = Holding()
    same(bought(d(10000), d("123.45"), 4, terms), "81.0044")
    held.come(d("81.0044"), d(10000))
    same(held.gav, "123.450084")
    held.come(bought(d(5000), d(150), 4, terms), d(5000))
    same(held.units, "114.3377")
    same(held.gav, "131.190325")
    held.go(d(50))
    same(held.units, "64.3377")
    same(held.gav, "131.190325")
    merged = rounded(held.units * d("1.2345"), 4, ROUND_DOWN)
    same(merged, "79.4248")
    same(rounded(held.cost / merged, 6), "106.270129")
    same(held.split(d(3)), "128.6754")
    same(held.units, "193.0131")
    same(held.gav, "43.730108")
    same(rounded(d(50) * d("160.1234"), 2), "8006.17")
    # A plan's parts.
    for amount, percents, parts in [
        ("1000.00", ("33.33", "33.33", "33.34"), ("333.30", "333.30", "333.40")),
        ("100.01", ("50", "25", "25"), ("50.01", "25.00", "25.00")),
        ("1.00", ("33.34", "33.33", "33.33"), ("0.34", "0.33", "0.33")),
    ]:
        assert divided(d(amount), [d(p) for p in percents]) == [d(p) for p in parts], amount
        checks += 1
    # The distribution fee.
    for days, whole in [(90, "36.99"), (91, "37.40"), (92, "37.81")]:
        same(charge(fee_of_day(d(100000), terms.fee_rate, terms) * days)[0], whole)
    mixed = sum(fee_of_day(d(v), terms.fee_rate, terms) * n for v, n in [("50000", 31), ("52500.50", 28), ("0", 31)])
    same(rounded(mixed, 6), "12.411016")
    same(charge(mixed)[0], "12.41")
    same(rounded(charge(mixed)[1], 6), "0.001016")
    # Returns; one of these values has three decimals.
    growth, chained = ONE, []
    days = [("0", "10000", "10000"), ("10000", "0", "10100"), ("10100", "5000", "15251.50"), ("15251.50", "-2000", "13118.985")]
    for opening, flow, closing in days:
        growth *= 1 + day_return(d(opening), d(flow), d(closing))
        chained.append(rounded(growth - 1, 10))
    for got, expected in zip(chained, ["0", "0.01", "0.02515", "0.0162428268"]):
        same(got, expected)
    same(day_return(d("15251.50"), d(-2000), d("13118.985")), "-0.0086886536")
    return checks
