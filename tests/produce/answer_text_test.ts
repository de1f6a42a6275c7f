import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { answerText, bracesIn, echoesOf } from "../../lib/produce/answer_text.ts";
import { renderTemplate } from "../../lib/template/render.ts";
import { scanTemplate } from "../../lib/template/scan.ts";
import { trialEnvironments } from "../../lib/template/environment.ts";

const TIME = Date.UTC(2026, 0, 1);
const ARGS: JsonObject = {
  id: "ORD-80001",
  limit: 5,
  q: "ab",
  place: { city: "Dubai" },
  list: ["xyz1"],
};
const echoes = echoesOf(ARGS, () => true);

Deno.test("placeholders take the place of what a call decides, and of nothing else", () => {
  const cases: [value: JsonValue, text: string][] = [
    [{ id: "ORD-80001" }, '{ "id": "{{args.id}}" }'],
    [{ a: "Order ORD-80001, today" }, '{ "a": "Order {{args.id}}, today" }'],
    [{ a: "{ORD-80001}" }, '{ "a": "\\u007b{{args.id}}}" }'],
    [{ a: "XORD-80001" }, '{ "a": "XORD-80001" }'],
    [{ limit: 5, other: 5 }, '{ "limit": {{args.limit}}, "other": 5 }'],
    [{ q: "ab" }, '{ "q": "ab" }'],
    [{ a: "Dubai", b: "in Dubai" }, '{ "a": "{{args.place.city}}", "b": "in Dubai" }'],
    [["xyz1"], '["xyz1"]'],
    [["2026-01-01T00:00:00Z", "2025-12-31T23:59:15Z"], '["{{now}}", "{{now-45s}}"]'],
    [["2026-01-01T01:30:20Z", "2026-01-02T04:00:00+04:00"], '["{{now+1h30m}}", "{{now+24h}}"]'],
    [["2026-02-01T00:00:00Z", "2026-01-01"], '["2026-02-01T00:00:00Z", "2026-01-01"]'],
    [{ "{{k}}": "{{{x}}}" }, '{ "\\u007b{k}}": "\\u007b\\u007b{x}}}" }'],
    [{ a: {}, b: [], c: null }, '{ "a": {}, "b": [], "c": null }'],
  ];
  for (const [value, expected] of cases) {
    const { text } = answerText(value, { echoes, time: TIME });
    assert.equal(text, expected);
    const literal = scanTemplate(answerText(value).text);
    assert.deepEqual(renderTemplate(literal, {}, trialEnvironments[0]!), value);
    if (!JSON.stringify(value).includes("T0")) {
      assert.deepEqual(
        renderTemplate(scanTemplate(text), ARGS, trialEnvironments[0]!),
        text.includes("{{now") ? ["2026-01-01T00:00:00Z", "2025-12-31T23:59:15Z"] : value,
      );
    }
  }
});

Deno.test("each change is told once, also where lines are broken", () => {
  const value = {
    items: Array.from({ length: 6 }, () => ({ id: "ORD-80001", text: "x".repeat(20) })),
  };
  const { text, changes } = answerText(value, { echoes, time: TIME });
  assert.equal(changes.length, 6);
  assert.equal(changes[5]!.path, "items.5.id");
  assert(text.split("\n").every((line) => line.length <= 100));
  assert.equal(bracesIn({ a: [{ b: "x {{y}}" }] }), "a.0.b");
  assert.equal(bracesIn({ a: "{ {" }), undefined);
});
