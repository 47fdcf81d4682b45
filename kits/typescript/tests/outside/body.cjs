// The tests that fail on purpose, for every runner.
exports.fails = async ({ partner, customer, clock }) => {
  const account = await customer.account({ cash: 1000 });
  const order = await partner.orders.subscribe(account, "SE0SBX000016SEK", 1000);
  await clock.untilSettlement(order);
  const { status } = await partner.orders.get(order);
  if (status !== "sent") throw new Error(`the order is ${status}`);
};

exports.leaks = async ({ fundsim }) => {
  await fundsim.world({ name: "a world that is forgotten" });
};
