/** A kit to test an integration with a fund-distribution platform. Nothing here needs a test framework. */
export { BinaryNotFound, binary } from "./binary.js";
export { type Answers, Customer, type Outcome, Page, PageFault, type Walk } from "./customer.js";
export { EventSocket, NotReceived, type ResourceEvent, type SocketMessage } from "./events.js";
export { type Amount, Refused, type Resource, type Shapes } from "./http.js";
export { Partner } from "./partner.js";
export { ServerFailed, type ServerProcess } from "./process.js";
export { BadSignature, type Delivery, Receiver } from "./receiver.js";
export { report } from "./report.js";
export { LeakedWorlds, Server, type WorldOptions } from "./server.js";
export { type Fixtures, Session } from "./session.js";
export { Clock, instant, span, World } from "./world.js";
