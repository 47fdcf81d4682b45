/**
 * Days of the books. A day is closed at 23:30 in Stockholm, after the platform's last bookings; what comes later belongs to the
 * next one. Days have 23, 24 or 25 hours, so all of this is reckoned in local time.
 */
import { DateTime } from "luxon";

const local = (instant: string) => DateTime.fromISO(instant, { zone: "Europe/Stockholm" });

/** The instant at which a day is closed. */
export const closeOf = (day: string): string => local(day).set({ hour: 23, minute: 30 }).toUTC().toISO() as string;

/** The day after a day. */
export const dayAfter = (day: string): string => local(day).plus({ days: 1 }).toISODate() as string;

/** The day that an instant belongs to. */
export function dayOf(instant: string): string {
  const day = local(instant).toISODate() as string;
  return Date.parse(instant) < Date.parse(closeOf(day)) ? day : dayAfter(day);
}
