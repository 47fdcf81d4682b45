/** The event socket: what happens to a client, as it happens. */
import WebSocket from "ws";
import type { ResourceEvent, SocketMessage } from "./event.js";

export type { ResourceEvent, SocketMessage };

/** How long is waited for what must come, in milliseconds, unless a test says otherwise. */
export const TIMEOUT = 5_000;

/** What was waited for did not come; the words say what came instead. */
export class NotReceived extends Error {
  override name = "NotReceived";
}

/** Fields that the resource of an event has. */
export type Fields = Record<string, unknown>;

/** The event of one type. */
export type EventOf<Type extends ResourceEvent["eventType"]> = Extract<ResourceEvent, { eventType: Type }>;

/** Whether what an event shows has these fields. */
export function hasFields(body: object, fields: Fields): boolean {
  const { current, previous } = body as { current?: object; previous?: object };
  const shown = (current ?? previous ?? body) as Fields;
  return Object.entries(fields).every(([name, value]) => shown[name] === value);
}

/** Names of a type and of fields, for messages. */
export function wanted(type: string, fields: Fields): string {
  return (
    type +
    Object.entries(fields)
      .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
      .join("")
  );
}

/** An open socket. `waitFor` reads on until an event of a type comes; `seen` has everything that was read. */
export class EventSocket {
  readonly seen: ResourceEvent[] = [];
  private readonly waiting: ResourceEvent[] = [];
  private wake: (() => void) | undefined;

  private constructor(private readonly socket: WebSocket) {}

  /** Opens a socket; resolves once `hello` has come. */
  static async open(address: string, headers: Record<string, string>): Promise<EventSocket> {
    const socket = new WebSocket(address, { headers });
    const events = new EventSocket(socket);
    await new Promise<void>((opened, failed) => {
      socket.on("error", failed);
      socket.on("message", (data: Buffer) => {
        const message = JSON.parse(data.toString()) as SocketMessage;
        if (message.eventType === "hello") opened();
        if (!("payload" in message)) return;
        events.waiting.push(message);
        events.wake?.();
      });
    });
    return events;
  }

  /** Closes the socket. */
  close(): void {
    this.socket.terminate();
  }

  /** The next event that is about a resource. */
  async next(timeout = TIMEOUT): Promise<ResourceEvent> {
    const ends = performance.now() + timeout;
    for (;;) {
      const event = this.waiting.shift();
      if (event !== undefined) {
        this.seen.push(event);
        return event;
      }
      const left = ends - performance.now();
      if (left <= 0) throw new NotReceived(`no event came within ${timeout} ms; before: ${types(this.seen)}`);
      await woken((wake) => {
        this.wake = wake;
      }, left);
    }
  }

  /** Reads on until an event of this type comes whose `current` (or `previous`) has these fields. */
  async waitFor<Type extends ResourceEvent["eventType"]>(
    type: Type,
    fields: Fields = {},
    timeout = TIMEOUT,
  ): Promise<EventOf<Type>> {
    const ends = performance.now() + timeout;
    const passed = this.seen.length;
    for (;;) {
      let event: ResourceEvent;
      try {
        event = await this.next(Math.max(0, ends - performance.now()));
      } catch (error) {
        if (!(error instanceof NotReceived)) throw error;
        throw new NotReceived(
          `${wanted(type, fields)} did not come within ${timeout} ms; came: ${types(this.seen.slice(passed))}`,
        );
      }
      if (event.eventType === type && hasFields(event.payload, fields)) return event as EventOf<Type>;
    }
  }
}

/** Resolves when it is woken, or after a time. */
export function woken(listen: (wake: () => void) => void, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    listen(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const types = (events: ResourceEvent[]): string => events.map((event) => event.eventType).join(", ") || "nothing";
