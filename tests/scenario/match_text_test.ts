import assert from "node:assert/strict";
import { matchText } from "../../lib/scenario/match_text.ts";
import type { JsonObject } from "../../lib/json.ts";

Deno.test("a match rule is said in short", () => {
  const cases: [JsonObject, string][] = [
    [{}, "any arguments"],
    [{ restaurant_id: 30104 }, "restaurant_id = 30104"],
    [{ query: "~sushi", limit: 5 }, "query ~ sushi, limit = 5"],
    [{ query: "~sushi rolls" }, 'query ~ "sushi rolls"'],
    [{ query: "*" }, "query = *"],
    [{ query: "=*" }, 'query = "*"'],
    [{ query: "=~x" }, 'query = "~x"'],
    [{ query: "Dubai Marina" }, 'query = "Dubai Marina"'],
    [{ query: "" }, 'query = ""'],
    [{ note: null, quick: true }, "note = null, quick = true"],
    [{ pickup: { latitude: 25.1 } }, "pickup.latitude = 25.1"],
    [{ pickup: {} }, "pickup is an object"],
    [{ options: [] }, "options is a list"],
    [{ options: ["~large", { id: 5 }] }, "options[] ~ large, options[].id = 5"],
    [{ "evil\u001b[31m": "a\nb" }, 'evil\\u001b[31m = "a\\nb"'],
  ];
  for (const [match, expected] of cases) assert.equal(matchText(match), expected);
});
