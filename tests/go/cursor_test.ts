import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeCursor, encodeCursor } from "../../lib/go/cursor.ts";

// Made by go-sdk v1.7.0 on Go 1.26.
const BY_GO: readonly (readonly [last: string, cursor: string])[] = [
  ["a", "In8DAQEJcGFnZVRva2VuAf-AAAEBAQdMYXN0VUlEAQwAAAAG_4ABAWEA"],
  ["ride_book", "In8DAQEJcGFnZVRva2VuAf-AAAEBAQdMYXN0VUlEAQwAAAAO_4ABCXJpZGVfYm9vawA="],
  ["é", "In8DAQEJcGFnZVRva2VuAf-AAAEBAQdMYXN0VUlEAQwAAAAH_4ABAsOpAA=="],
  ["", "In8DAQEJcGFnZVRva2VuAf-AAAEBAQdMYXN0VUlEAQwAAAAD_4AA"],
];
const LONG_BY_GO: readonly (readonly [length: number, beginning: string])[] = [
  [
    127,
    "In8DAQEJcGFnZVRva2VuAf-AAAEBAQdMYXN0VUlEAQwAAAD_hP-AAX94eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eH",
  ],
  [
    300,
    "In8DAQEJcGFnZVRva2VuAf-AAAEBAQdMYXN0VUlEAQwAAAD-ATP_gAH-ASx4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eH",
  ],
];

Deno.test("cursors are those of the Go SDK", () => {
  for (const [last, cursor] of BY_GO) {
    assert.equal(encodeCursor(last), cursor);
    assert.equal(decodeCursor(cursor), last);
  }
  for (const [length, beginning] of LONG_BY_GO) {
    const cursor = encodeCursor("x".repeat(length));
    assert.equal(cursor.slice(0, beginning.length), beginning);
    assert.equal(decodeCursor(cursor), "x".repeat(length));
  }
});

Deno.test("what a cursor was made of comes back, however long", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 70_000 }), (last) => {
    assert.equal(decodeCursor(encodeCursor(last)), last);
  }));
});

Deno.test("what is no cursor of this server's is refused", () => {
  const cursor = encodeCursor("ride_book");
  const none = [
    "x",
    "aGk=",
    "!!",
    "é",
    cursor.slice(0, -4),
    `${cursor}${cursor}`,
    cursor.replace("_", "/"),
    "A".repeat(3_000_000),
    `${cursor.slice(0, 48)}${"x".repeat(3_000_000)}`,
  ];
  for (const text of none) assert.equal(decodeCursor(text), undefined, text.slice(0, 60));
  fc.assert(fc.property(fc.nat(cursor.length - 1), fc.base64String(), (at, other) => {
    const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
    const last = decodeCursor(changed);
    assert(last === undefined || encodeCursor(last) === changed);
  }));
});
