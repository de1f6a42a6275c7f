import assert from "node:assert/strict";
import { parseOverrides } from "../../lib/control/overrides.ts";
import { overridesProblems } from "../../lib/control/overrides_problems.ts";
import { createSteering } from "../../lib/control/steering.ts";
import { parseFixture } from "../../lib/fixture/parse.ts";
import { toolText } from "../store/_folder.ts";

const TOOLS = ["ride_book", "cart_get"];
const RIDE = parseFixture(toolText("ride_book", "1"), "ride_book.md");

function makeSteering() {
  const notes: string[] = [];
  const steering = createSteering(TOOLS, ({ message }) => notes.push(message));
  const forced = (text: string, ...keys: string[]): string[] => {
    const overrides = parseOverrides(text);
    return keys.map((key) => {
      const { scenario, fault } = steering.step(overrides, key);
      return scenario ?? fault ?? "-";
    });
  };
  return { notes, steering, forced };
}

Deno.test("each key is counted for itself, and anew when its entry changes", () => {
  const { forced } = makeSteering();
  const [a, b] = ["ride_book", "cart_get"];
  const text = '{"ride_book": ["x", "y", "z"], "cart_get": ["p", null]}';
  assert.deepEqual(forced(text, a!, a!, b!), ["x", "y", "p"]);
  // Another entry, or how the file is written, changes nothing for this one.
  assert.deepEqual(forced('{"ride_book":["x","y","z"],"cart_get":["q"]}', a!, b!), ["z", "q"]);
  assert.deepEqual(forced('{"ride_book":["x","y"]}', a!, b!), ["x", "-"]);
  assert.deepEqual(forced("{}", a!), ["-"]);
  assert.deepEqual(forced('{"ride_book":["x","y"]}', a!, a!, a!), ["x", "y", "y"]);
  const at = (time: string) => `{"ride_book":[{"scenario":"x","at":"${time}"},"y"]}`;
  assert.deepEqual(forced(at("1"), a!, a!), ["x", "y"]);
  assert.deepEqual(forced(at("1"), a!), ["y"]);
  assert.deepEqual(forced(at("2"), a!), ["x"], "the same once more begins anew");
});

Deno.test("`*` is for tools without an entry, counted together; `/` for requests alone", () => {
  const { forced } = makeSteering();
  const text =
    '{"*": [{"fault": 503, "times": 2}, null], "cart_get": null, "/": {"fault": 404, "times": 1}}';
  assert.deepEqual(forced(text, "/", "ride_book", "cart_get", "other", "ride_book", "/"), [
    ...["404", "503", "-", "503", "-", "-"],
  ]);
  assert.deepEqual(forced('{"*": "x"}', "/", "ride_book"), ["-", "x"]);
});

Deno.test("what forces nothing is told once, when it comes to be so", () => {
  const { forced, notes, steering } = makeSteering();
  const told = (): string[] => notes.splice(0);
  const wrong = '{"ride_boook": "x", "cart_get": 5, "ride_book": "gone"}';
  forced(wrong, "ride_book", "ride_book", "cart_get");
  steering.missing("gone", RIDE);
  steering.missing("gone", RIDE);
  assert.deepEqual(
    told().map((note) => note.slice(0, 60)),
    [
      '`cart_get`: write a scenario\'s name, {"scenario" or "fault": ',
      "there is no tool `ride_boook`, so its entry does nothing, did",
      "`ride_book` has no scenario `gone`, so the entry does nothing",
    ].map((note) => note.slice(0, 60)),
  );
  forced(wrong, "ride_book");
  forced('{"ride_boook": "x", "cart_get": 5}', "ride_book");
  assert.deepEqual(told(), [], "what is still wrong is not told again");
  forced('{"ride_book": "x",}', "ride_book", "ride_book");
  forced("{}", "ride_book");
  forced('{"ride_book": "x",}', "ride_book");
  const invalid =
    "is not a JSON object, which has no comma before its end, so nothing is forced; " +
    "mend or delete it";
  assert.deepEqual(told(), [invalid, invalid], "when it becomes so again, it is told again");
  // A tool need not have what `*` names.
  forced('{"*": "gone"}', "ride_book");
  steering.missing("gone", RIDE);
  assert.deepEqual(told(), []);
});

Deno.test("a review knows all tools, and what it returns is not told by the next call", () => {
  const { notes, steering } = makeSteering();
  const overrides = parseOverrides('{"ride_book": ["USUAL", "usul"], "gone": "x", "*": "nowhere"}');
  const tools = new Map([["ride_book", RIDE], ["cart_get", undefined]]);
  assert.deepEqual(overridesProblems(overrides, tools), [
    {
      key: "ride_book",
      message:
        "`ride_book` has no scenario `usul`, so the entry does nothing, did you mean `usual`?",
    },
    { key: "gone", message: "there is no tool `gone`, so its entry does nothing" },
    { key: "*", message: "no tool has a scenario `nowhere`, so the entry of `*` does nothing" },
  ]);
  assert.equal(steering.review(overrides, tools).length, 3);
  assert.equal(steering.review(overrides, tools).length, 0);
  assert.deepEqual(steering.step(overrides, "ride_book"), { scenario: "USUAL" });
  steering.missing("usul", RIDE);
  assert.deepEqual(notes, []);
});
