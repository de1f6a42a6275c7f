import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { formatTime } from "../../lib/template/time.ts";
import { type Case, failureOf, visit } from "./_library.ts";

/** Something that does not add up, and where. */
export interface Fault {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly message: string;
}

/** Looks at one object of an answer; `where` in what it yields is relative to the object. */
type Shape = (object: JsonObject, setting: Setting) => Iterable<[where: string, message: string]>;

interface Setting {
  readonly now: number;
  /** The objects around this one, the nearest first. */
  readonly around: readonly JsonObject[];
  /** Whether a value is the caller's own: the sample arguments need not make sense. */
  readonly echoed: (value: JsonValue) => boolean;
}

/**
 * Checks sums, counts and times of an answer. The objects are found by their shape, wherever they
 * are, so a new tool's answers are checked without a word here.
 */
export function* shapeFaults({ answer, args, moment }: Case): Generator<Fault> {
  if (failureOf(answer) !== undefined && Object.keys(answer as JsonObject).length > 1) {
    yield { pointer: "/error", message: "a failure must stand alone, without other properties" };
  }
  const given = new Set([...visit(args)].map(({ value }) => value));
  const echoed = (value: JsonValue): boolean => given.has(value);
  for (const { value, pointer, around } of visit(answer)) {
    if (!isJsonObject(value)) continue;
    for (const shape of SHAPES) {
      for (const [where, message] of shape(value, { now: moment.now(), around, echoed })) {
        yield { pointer: pointer + where, message };
      }
    }
  }
}

/** A basket, a checkout summary, an order. */
const bill: Shape = function* (object) {
  if (!["lines", "subtotal", "fees", "discount", "total"].every((key) => key in object)) return;
  const lines = objects(object.lines);
  for (const [index, line] of lines.entries()) {
    const unit = fils(line.base_price) + sum(objects(line.options), "price");
    yield* money(`/lines/${index}/unit_price`, line.unit_price, unit, "base_price and options");
    const total = fils(line.unit_price) * Number(line.quantity);
    yield* money(`/lines/${index}/line_total`, line.line_total, total, "quantity × unit_price");
  }
  const subtotal = sum(lines, "line_total");
  yield* money("/subtotal", object.subtotal, subtotal, "the lines");
  const total = fils(object.subtotal) + sum(objects(object.fees), "amount") - fils(object.discount);
  yield* money("/total", object.total, total, "subtotal plus fees less discount");
  if (Number(object.discount) < 0) yield ["/discount", `${object.discount} is below zero`];
  const promo = isJsonObject(object.promo) ? fils(object.promo.discount) : 0;
  yield* money("/discount", object.discount, promo, "promo");
  if (isJsonObject(object.refund)) {
    yield* money("/refund/amount", object.refund.amount, fils(object.total), "the order's total");
  }
  const pieces = lines.reduce((pieces, { quantity }) => pieces + Number(quantity), 0);
  if ("item_count" in object && object.item_count !== pieces) {
    yield ["/item_count", `is ${object.item_count}, but the lines hold ${pieces}`];
  }
};

const fare: Shape = function* (object) {
  if (!Array.isArray(object.components) || !("total" in object)) return;
  yield* money("/total", object.total, sum(objects(object.components), "amount"), "the components");
};

/** A ride that is over: what was taken and its receipt. */
const settlement: Shape = function* (object) {
  const { fare, amountCharged, status } = object;
  if (isJsonObject(fare) && status === "completed") {
    yield* money("/amountCharged", amountCharged, fils(fare.total), "the fare");
  }
  const { ride, receipt, cancellation } = object;
  if (!isJsonObject(ride)) return;
  if (isJsonObject(receipt) && isJsonObject(ride.fare)) {
    yield* money("/receipt/total", receipt.total, fils(ride.fare.total), "the fare");
  }
  if (isJsonObject(cancellation)) {
    yield* money("/ride/amountCharged", ride.amountCharged, fils(cancellation.fee), "the fee");
  }
};

const wallet: Shape = function* (object) {
  if (!("openingBalance" in object) || !Array.isArray(object.transactions)) return;
  const movements = objects(object.transactions).toReversed();
  let balance = fils(object.openingBalance);
  for (const [index, { amount, balanceAfter }] of movements.entries()) {
    balance += fils(amount);
    const where = `/transactions/${movements.length - 1 - index}/balanceAfter`;
    yield* money(where, balanceAfter, balance, "the movements up to here");
  }
  yield* money("/balance", object.balance, balance, "openingBalance and the movements");
};

const counts: Shape = function* (object) {
  const arrays = Object.values(object).filter(Array.isArray);
  const [array] = arrays;
  if (array === undefined || arrays.length > 1) return;
  if ("count" in object && object.count !== array.length) {
    yield ["/count", `is ${object.count}, but there are ${array.length}`];
  }
  const total = object.total_count ?? object.totalCount;
  if (total !== undefined && Number(total) < array.length) {
    yield ["", `says ${total} in total, but there are ${array.length} here alone`];
  }
  if ("hasMore" in object && object.hasMore !== Number(total) > array.length) {
    yield ["/hasMore", `is ${object.hasMore}, but ${array.length} of ${total} are here`];
  }
};

/** What has happened so far, and the state that it led to. */
const timeline: Shape = function* (object) {
  if (!Array.isArray(object.timeline)) return;
  const steps = objects(object.timeline);
  yield* ascending(steps.map(({ at }) => at), (index) => `/timeline/${index}/at`);
  for (const subject of Object.values(object)) {
    if (!isJsonObject(subject) || !("status" in subject)) continue;
    const last = steps.at(-1)?.status;
    if (last !== subject.status) {
      yield ["/timeline", `ends with "${last}", but the status is "${subject.status}"`];
    }
  }
};

const SLOT_MS = 20 * 60_000;

/** A window of time that can be booked, with what people read of it. */
const slot: Shape = function* (object, { now }) {
  const [startKey, endKey] = "starts_at" in object
    ? ["starts_at", "ends_at"]
    : ["startsAt", "endsAt"];
  if (!(startKey in object) || !(endKey in object)) return;
  const [start, end] = [time(object[startKey]), time(object[endKey])];
  for (const [key, at] of [[startKey, start], [endKey, end]] as const) {
    if (at % SLOT_MS !== 0) yield [`/${key}`, `${object[key]} is not on a 20-minute boundary`];
  }
  if (!(start < end)) yield [`/${endKey}`, `${object[endKey]} is not after ${object[startKey]}`];
  if (start <= now) yield [`/${startKey}`, `${object[startKey]} is not in the future`];
  if ("duration_minutes" in object && object.duration_minutes !== (end - start) / 60_000) {
    yield [
      "/duration_minutes",
      `is ${object.duration_minutes}, but it is ${(end - start) / 60_000}`,
    ];
  }
  const day = formatTime(start, "daylabel");
  const hours = [formatTime(start, "hhmm"), formatTime(end, "hhmm")];
  yield* reads(object, "date", [formatTime(start, "date")]);
  yield* reads(object, "weekday", [formatTime(start, "weekday")]);
  yield* reads(object, "day_label", [day]);
  yield* reads(object, "time_label", hours);
  yield* reads(object, "label", [day, ...hours]);
};

const slots: Shape = function* (object) {
  if (!Array.isArray(object.slots)) return;
  const starts = objects(object.slots).map((slot) => slot.starts_at ?? slot.startsAt);
  yield* ascending(starts, (index) => `/slots/${index}`);
};

const PAST =
  /^(at|(placed|delivered|cancelled|checked|recorded|position|accepted|stock_checked)_at.*|(booked|started|completed|cancelled|saved|lastUsed|issued|recorded)At.*)$/;
const FUTURE =
  /^((expires|opens|closes|estimated|estimated_delivery)_at.*|(expires|arrives|pickup|dropoff)At.*|scheduledFor)$/;
const PRESENT = /^(updated|generated)(_at|At)$/;
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Past things lie in the past, future things in the future, and labels agree with their times. */
const clock: Shape = function* (object, { now, echoed }) {
  for (const [key, value] of Object.entries(object)) {
    const isStamp = /(_at|At|For)$|^at$/.test(key) && typeof value === "string";
    const isUnix = typeof value === "number" && /(_unix|Unix|_ms|Ms)$/.test(key);
    if (!isStamp && !isUnix || echoed(value)) continue;
    if (isStamp && !STAMP.test(value)) {
      yield [`/${key}`, `"${value}" is not a time such as 2026-10-05T12:00:00Z`];
      continue;
    }
    const at = time(value);
    if (PAST.test(key) && at > now) yield [`/${key}`, `${value} is in the future`];
    if (FUTURE.test(key) && at <= now) yield [`/${key}`, `${value} is in the past`];
    if (PRESENT.test(key) && at !== Math.floor(now / 1000) * 1000) {
      yield [`/${key}`, `${value} is not now`];
    }
    const stem = key.replace(/(_at|At|For)$/, "");
    for (const label of [`${stem}_on`, `${stem}_label`, `${stem}Label`]) {
      const hour = formatTime(at, "hhmm");
      const onlyHour = label in object && String(object[label]).includes(hour);
      yield* reads(object, label, [onlyHour ? hour : formatTime(at, "daylabel")]);
    }
  }
};

/** Minutes from now, and the same as a time. */
const eta: Shape = function* (object, { now }) {
  const pairs: [JsonValue | undefined, JsonValue | undefined, number, string][] = [
    [object.minutes, object.arrivesAt, now, "/arrivesAt"],
    [object.etaMinutes, object.pickupAt, now, "/pickupAt"],
    [object.durationMinutes, object.dropoffAt, time(object.pickupAt), "/dropoffAt"],
  ];
  for (const [minutes, at, from, where] of pairs) {
    if (minutes === undefined || at === undefined) continue;
    const expected = formatTime(from + Number(minutes) * 60_000);
    if (at !== expected) yield [where, `is ${at}, but ${minutes} minutes make ${expected}`];
  }
};

const MONEY =
  /^(price|amount|subtotal|discount|total|fee|balance|line_total|.*_(price|fee|discount|amount)|minimum_(order|basket)|.*(Balance|Fee)|balanceAfter|amountCharged)$/;

/** Amounts are AED, to the fils. */
const currency: Shape = function* (object, { around }) {
  const amounts = Object.entries(object).filter(([key, value]) =>
    MONEY.test(key) && typeof value === "number"
  );
  for (const [key, value] of amounts) {
    if (Math.abs(Number(value) * 100 - fils(value)) > 1e-6) {
      yield [`/${key}`, `${value} has more than two decimals`];
    }
    if (Number(value) < 0 && key !== "amount") yield [`/${key}`, `${value} is below zero`];
  }
  if (amounts.length > 0 && ![object, ...around].some(({ currency }) => currency === "AED")) {
    yield [`/${amounts[0]![0]}`, 'no "currency": "AED" here or on an object around it'];
  }
};

const SHAPES: readonly Shape[] = [
  bill,
  fare,
  settlement,
  wallet,
  counts,
  timeline,
  slot,
  slots,
  clock,
  eta,
  currency,
];

function* money(
  where: string,
  actual: JsonValue | undefined,
  expected: number,
  of: string,
): Generator<[string, string]> {
  if (fils(actual) !== expected) yield [where, `is ${actual}, but ${of} make ${expected / 100}`];
}

function* reads(
  object: JsonObject,
  key: string,
  parts: readonly string[],
): Generator<[string, string]> {
  if (!(key in object)) return;
  for (const part of parts) {
    if (!String(object[key]).includes(part)) {
      yield [`/${key}`, `"${object[key]}" does not say "${part}"`];
    }
  }
}

function* ascending(
  stamps: readonly (JsonValue | undefined)[],
  where: (index: number) => string,
): Generator<[string, string]> {
  for (const [index, stamp] of stamps.entries()) {
    const before = stamps[index - 1];
    if (before !== undefined && time(stamp) < time(before)) {
      yield [where(index), `${stamp} is before ${before}`];
    }
  }
}

/** An amount in fils, where sums are exact. */
function fils(amount: JsonValue | undefined): number {
  return typeof amount === "number" ? Math.round(amount * 100) : NaN;
}

function sum(parts: readonly JsonObject[], key: string): number {
  return parts.reduce((sum, part) => sum + fils(part[key]), 0);
}

/** Milliseconds of an RFC 3339 time, of Unix seconds or of Unix milliseconds. */
function time(value: JsonValue | undefined): number {
  if (typeof value === "number") return value < 1e11 ? value * 1000 : value;
  return Date.parse(String(value));
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
