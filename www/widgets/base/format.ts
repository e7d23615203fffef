// Numbers, sizes, durations, and times as people read them.

import { h } from "./dom.js";

const numbers = new Intl.NumberFormat("en");
/** 12,345 */
export const count = (number: number) => numbers.format(number);

/** "1 resource", "2 resources" */
export const plural = (number: number, one: string, many = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : many}`;

const UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** 12.3 MiB */
export function size(bytes: number) {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${count(Math.round((bytes / 1024 ** unit) * 10) / 10)} ${UNITS[unit]}`;
}

/** "3 s", "2 min 5 s", "1 h 10 min" */
export function duration(seconds: number) {
  const whole = Math.max(Math.round(seconds), 1);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const times = (year: "numeric" | undefined) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit" });
const thisYear = times(undefined);
const anyYear = times("numeric");

/** A time, with its exact text as title. The current year is left out. */
export function time(text: string) {
  const date = new Date(text);
  const format = date.getFullYear() === new Date().getFullYear() ? thisYear : anyYear;
  return h("time", { datetime: text, title: text }, format.format(date));
}

const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A day, with its exact text as title. It is the same at every place. */
export function day(text: string) {
  const date = new Date(text);
  return h("time", { datetime: text, title: text }, Number.isNaN(date.getTime()) ? text : days.format(date));
}

/** The formats of numbers by their least count of decimals. */
const exact: Intl.NumberFormat[] = [];
/** 12,345.5, but 2026; with two decimals 12,345.50 */
export function number(value: number, decimals = 0) {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: 20, useGrouping: "min2" } as const;
  const format = (exact[decimals] ??= new Intl.NumberFormat("en", options));
  return String(value).includes("e") ? String(value) : format.format(value);
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
/** 14:03:59 */
export const clockTime = (date: Date) => clock.format(date);
