import assert from "node:assert/strict";
import type { JsonValue } from "../../lib/json.ts";
import {
  goFixed,
  goFraction,
  goInstance,
  goNumber,
  goQuote,
  goQuoteList,
  goStringVerb,
  goValue,
} from "../../lib/go/format.ts";

function table<Input>(
  name: string,
  print: (input: Input) => string,
  rows: readonly (readonly [input: Input, text: string])[],
): void {
  for (const [input, text] of rows) {
    Deno.test(`${name} of ${JSON.stringify(input) ?? input}`, () => {
      assert.equal(print(input), text);
    });
  }
}

table("%v, a number,", goNumber, [
  [0, "0"],
  [-0, "-0"],
  [5, "5"],
  [-3, "-3"],
  [30104, "30104"],
  [123456, "123456"],
  [123456.789, "123456.789"],
  [999999.5, "999999.5"],
  [1000000, "1e+06"],
  [1234567.5, "1.2345675e+06"],
  [123456789, "1.23456789e+08"],
  [1e20, "1e+20"],
  [1e21, "1e+21"],
  [1e100, "1e+100"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1.5e-7, "1.5e-07"],
  [5e-324, "5e-324"],
  [25.0866, "25.0866"],
]);

table<JsonValue>("%v", goValue, [
  ["a b", "a b"],
  [null, "<nil>"],
  [true, "true"],
  [[], "[]"],
  [{}, "map[]"],
  [[1, "x", null, [false]], "[1 x <nil> [false]]"],
  [{ b: 1, a: { q: null } }, "map[a:map[q:<nil>] b:1]"],
  [{ "\u{10000}": 1, "\uffff": 2 }, "map[\uffff:2 \u{10000}:1]"],
]);

table<JsonValue>("%v, the value under validation,", goInstance, [
  [null, "<invalid reflect.Value>"],
  [[null], "[<nil>]"],
  [5, "5"],
]);

table<JsonValue[]>("%s", goStringVerb, [
  [["a", null], "[a <nil>]"],
  [[1e6, true, { k: [0.5] }], "[%!s(float64=1e+06) %!s(bool=true) map[k:[%!s(float64=0.5)]]]"],
]);

table("big.Rat", goFraction, [
  [91, "91/1"],
  [-1, "-1/1"],
  [0, "0/1"],
  [-0, "0/1"],
  [25.5, "51/2"],
  [-0.1, "-3602879701896397/36028797018963968"],
  [1e21, "1000000000000000000000/1"],
  [2 ** -30, "1/1073741824"],
]);

table("%f", goFixed, [
  [100, "100.000000"],
  [0, "0.000000"],
  [-0, "-0.000000"],
  [-0.5, "-0.500000"],
  [0.1, "0.100000"],
  [1 / 128, "0.007812"],
  [3 / 128, "0.023438"],
  [0.9999999, "1.000000"],
  [5e-324, "0.000000"],
  [1e21, "1000000000000000000000.000000"],
  [1.5e22, "15000000000000000000000.000000"],
]);

table("%q", goQuote, [
  ["ab", '"ab"'],
  ["é💥", '"é💥"'],
  ['a"b\\c', String.raw`"a\"b\\c"`],
  ["\x07\b\f\n\r\t\v", String.raw`"\a\b\f\n\r\t\v"`],
  ["\x00\x1b\x7f", String.raw`"\x00\x1b\x7f"`],
  ["\u0085\u00a0\u00ad", String.raw`"\u0085\u00a0\u00ad"`],
  ["\u2028\ufeff", String.raw`"\u2028\ufeff"`],
  ["\u{e0001}", String.raw`"\U000e0001"`],
  ["\ud800", '"\ufffd"'],
  ["", '""'],
]);

table<string[]>("%q, a list,", goQuoteList, [
  [[], "[]"],
  [["a", "b c"], '["a" "b c"]'],
]);
