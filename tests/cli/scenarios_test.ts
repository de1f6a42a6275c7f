import assert from "node:assert/strict";
import { scenarios } from "../../lib/cli/scenarios.ts";
import {
  isColoured,
  LIBRARY,
  lineOf,
  makeProject,
  runInTerminal,
  silentIo,
  toolFile,
} from "./_program.ts";

const EXECUTABLE = Deno.env.get("CAREEM_MCP_EXECUTABLE");

Deno.test("`scenarios` gives an overview by domain: count, default and what is forced", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"order_track": "FIRST", "pay_show_wallet": "gone"}');
  const { code, out, err } = await project.run(["scenarios"]);
  assert.deepEqual([code, err], [
    0,
    `Warning: ${project.overrides}: \`pay_show_wallet\` has no scenario \`gone\`, ` +
    "so the entry does nothing\n",
  ]);
  assert.equal(
    out,
    [
      "                        default",
      "food",
      "  food_find_dish     5  nothing",
      "orders",
      "  order_track        3  unknown  forced: first",
      "pay",
      "  pay_show_wallet    1  balance",
      "",
      "3 tools, 9 scenarios, 1 forced",
      "",
    ].join("\n"),
  );
});

Deno.test("`scenarios <tool>` lists in file order, with rules, default, isError and forced", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"food_find_dish": "unauthorized"}');
  const { code, out } = await project.run(["scenarios", "food_find_dish"]);
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      "food_find_dish  Find a dish",
      project.path("tools/food/food_find_dish.md"),
      "",
      "  sushi                 query ~ sushi",
      "  all                   query = *, limit = 20",
      "  nothing               default",
      "  upstream-unavailable  only when forced",
      "> unauthorized          only when forced  isError",
      "",
    ].join("\n"),
  );
});

Deno.test("`scenarios --json` has the documented shape, for all tools and for one", async () => {
  using project = makeProject();
  project.write(".run/overrides.json", '{"order_track": "Near"}');
  const file = project.path("tools/orders/order_track.md");
  const line = (text: string): number => lineOf(project.read("tools/orders/order_track.md"), text);
  const scenario = { about: "", match: null, default: false, isError: false, forced: false };
  const expected = {
    tool: "order_track",
    domain: "orders",
    title: "Track an order",
    file,
    forced: "Near",
    override: "Near",
    scenarios: [
      { name: "first", line: line("Scenario: first"), ...scenario, match: { order_id: "ORD-1" } },
      {
        name: "near",
        line: line("Scenario: near"),
        ...scenario,
        match: { place: { latitude: 25.1 } },
        forced: true,
      },
      { name: "unknown", line: line("Scenario: unknown"), ...scenario, default: true },
    ],
  };
  const [one, all] = await Promise.all([
    project.run(["scenarios", "order_track", "--json"]),
    project.run(["scenarios", "--json"]),
  ]);
  assert.deepEqual(JSON.parse(one.out), { tools: [expected] });
  const { tools } = JSON.parse(all.out);
  assert.deepEqual(tools.map(({ tool }: { tool: string }) => tool), [
    "food_find_dish",
    "order_track",
    "pay_show_wallet",
  ]);
  assert.deepEqual(tools[1], expected);
  assert.deepEqual([tools[2].title, tools[2].forced], [null, null]);
});

Deno.test("an unknown tool is told which one may be meant, with exit code 1", async () => {
  using project = makeProject();
  const cases: [string, string][] = [
    ["order_trakc", ", did you mean `order_track`?"],
    ["Food-Find-Dish", ", did you mean `food_find_dish`?"],
    ["wallet", ", did you mean `pay_show_wallet`?"],
    ["zzzzzz", ""],
  ];
  await Promise.all(cases.map(async ([tool, guess]) => {
    const { code, out, err } = await project.run(["scenarios", tool]);
    assert.deepEqual([code, out], [1, ""]);
    const hint = guess === "" ? " --find zzzzzz" : "";
    assert.equal(
      err,
      `careem-mcp: unknown tool \`${tool}\`${guess}\nSee: careem-mcp scenarios${hint}\n`,
    );
  }));
});

Deno.test("a broken file does not hide the others, is mentioned, and fails the command", async () => {
  using project = makeProject();
  const broken = project.write("tools/food/food_broken.md", "no frontmatter");
  const [list, one, other] = await Promise.all([
    project.run(["scenarios"]),
    project.run(["scenarios", "food_broken"]),
    project.run(["scenarios", "order_track"]),
  ]);
  assert.equal(list.code, 1);
  assert.match(list.out, /3 tools, 9 scenarios/);
  assert.equal(
    list.err,
    "careem-mcp: 1 file cannot be used and is left out above.\nSee: careem-mcp check\n",
  );
  assert.equal(one.code, 1);
  assert(one.err.startsWith(`${broken}:1: no frontmatter`), one.err);
  assert.equal(other.code, 0);
});

Deno.test("a folder without tool files is an error that names it", async () => {
  using project = makeProject({});
  const { code, err } = await project.run(["scenarios"]);
  assert.equal(code, 1);
  const remedy = EXECUTABLE
    ? "fill it with: careem-mcp eject"
    : "name the right folder with --tools";
  const message = `careem-mcp: no tool file (*.md) in ${project.path("tools")}; ${remedy}\n`;
  assert.equal(err, message);
  assert.equal((await project.run(["--stdio"])).err, message);
  const missing = await project.run(["scenarios", "--tools", project.path("nowhere")]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /^careem-mcp: --tools: there is no folder .+nowhere\.\nName one/);
});

Deno.test("on a terminal the lists fit its width and are coloured; NO_COLOR takes the colours", async () => {
  const long = "a-scenario-with-a-name-that-goes-on-and-on-without-any-end-in-sight";
  using project = makeProject({
    ...LIBRARY,
    "tools/food/food_long.md": toolFile(
      {
        name: "food_long",
        inputSchema: { type: "object", properties: { q: { type: "string" } } },
      },
      [
        { name: long, match: { q: "words, and more words, and still more words" } },
        { name: "محل شاورما", match: { q: "寿司" } },
        { name: "rest" },
      ],
    ),
  });
  const args = ["--project", project.directory];
  const [all, one, bare] = await Promise.all([
    runInTerminal(["scenarios", ...args], 50),
    runInTerminal(["scenarios", "food_long", ...args], 50, { NO_COLOR: "1" }),
    runInTerminal(["scenarios", ...args], 120, { NO_COLOR: "" }),
  ]);
  assert.equal(all.code, 0);
  assert(isColoured(all.text) && !isColoured(one.text) && isColoured(bare.text));
  const rows = one.text.split("\n").slice(3);
  assert(rows.every((row) => [...row].length <= 79), one.text);
  assert(one.text.includes(`\n  ${long}  q = "wo…\n`), one.text);
  // Two wide characters take four columns.
  assert.match(one.text, /محل شاورما\s+q = 寿司\n/);
  const piped = await project.run(["scenarios", "food_long"]);
  assert(piped.out.includes(long), "nothing is cut in a pipe");
});

Deno.test("only what is in force counts as forced; the rest is told on stderr", async () => {
  using project = makeProject();
  const entries = { order_track: "near", no_such_tool: "x", pay_show_wallet: { scenario: 5 } };
  project.write(".run/overrides.json", JSON.stringify(entries));
  const [all, one, other] = await Promise.all([
    project.run(["scenarios"]),
    project.run(["scenarios", "order_track"]),
    project.run(["scenarios", "pay_show_wallet", "--json"]),
  ]);
  assert.match(all.out, /\n3 tools, 9 scenarios, 1 forced\n$/);
  assert.equal(
    all.err,
    `Warning: ${project.overrides}: \`pay_show_wallet\`: the scenario's name must be a string; ` +
      "as it is, it forces nothing\n" +
      `Warning: ${project.overrides}: there is no tool \`no_such_tool\`, so its entry does nothing\n`,
  );
  assert.equal(one.err, "");
  assert.match(one.out, /^> near /m);
  assert.match(other.err, /^Warning: .+`pay_show_wallet`: .+\n$/);
  project.write(".run/overrides.json", "{oops");
  const broken = await project.run(["scenarios"]);
  assert.equal(broken.code, 0);
  assert.equal(
    broken.err,
    `Warning: ${project.overrides} is not a JSON object, so nothing is forced; mend or delete it\n`,
  );
});

Deno.test("inside an executable there is no file to name", () => {
  using folder = makeProject();
  const project = {
    directory: folder.directory,
    toolsDirectory: folder.path("tools"),
    toolsNamed: false,
    embedded: true,
    ownTools: folder.path("tools"),
    packed: true,
    overridesPath: folder.overrides,
    callsPath: folder.path(".run", "calls.jsonl"),
    words: [],
  };
  const [text, json]: [string[], string[]] = [[], []];
  scenarios("order_track", {}, project, silentIo(text));
  scenarios("order_track", { json: true }, project, silentIo(json));
  assert.equal(text[1], "inside the executable; careem-mcp eject writes it to disk");
  assert.equal(JSON.parse(json.join("\n")).tools[0].file, null);
});

/** A tool whose scenarios say what they are for. */
const CART = toolFile({ name: "cart_pay", title: "Pay", inputSchema: { type: "object" } }, [
  { name: "paid", response: { total: 12.5 } },
  { name: "declined", response: { error: "the card was declined" } },
  { name: "refused", error: { error: "unauthorized" } },
]).replace(
  "## Scenario: paid\n",
  "## Scenario: paid\n\nIt is `paid` in\nfull, at once. Then more.\n",
);

Deno.test("scenarios are found by a word in name, prose, rule or answer, and by what they are", async () => {
  using project = makeProject({ ...LIBRARY, "tools/cart/cart_pay.md": CART });
  const found = async (...flags: string[]): Promise<string> => {
    const { code, out, err } = await project.run(["scenarios", ...flags, "--json"]);
    const tools: { tool: string; scenarios: { name: string }[] }[] = JSON.parse(out).tools;
    assert.equal(code, tools.length === 0 ? 1 : 0, err);
    return tools.map(({ tool, scenarios }) =>
      `${tool}: ${scenarios.map(({ name }) => name).join(" ")}`
    ).join("; ");
  };
  const failing = "food_find_dish: upstream-unavailable unauthorized";
  const cases: [flags: string[], expected: string][] = [
    [["--find", "IN full"], "cart_pay: paid"],
    [["--find", "At Once"], "cart_pay: paid"],
    [["--find", "declined"], "cart_pay: declined"],
    [["--find", "ORD-1"], "order_track: first"],
    [["--find", "kibbeh"], "food_find_dish: all"],
    [["--find", "wallet"], "pay_show_wallet: balance"],
    [["--errors"], `cart_pay: declined refused; ${failing}`],
    [["--by-force"], `cart_pay: declined refused; ${failing}`],
    [["--errors", "--find", "unauthorized"], "cart_pay: refused; food_find_dish: unauthorized"],
    [["food_find_dish", "--errors"], failing],
    [["--find", "zzzzzz"], ""],
  ];
  await Promise.all(cases.map(async ([flags, expected]) => {
    assert.equal(await found(...flags), expected, flags.join(" "));
  }));
  const { out, err } = await project.run(["scenarios", "--find", "paid"]);
  assert.equal(out, "cart_pay\n  paid  default  It is paid in full, at once.\n");
  assert.equal(err, "1 scenario of 1 tool\n");
});

Deno.test("a terminal gets as many lines as it has, and the count of the rest", async () => {
  const many = Array.from({ length: 50 }, (_, nth) => ({ name: `s${nth}` }));
  using project = makeProject({
    "tools/a.md": toolFile({ name: "a", inputSchema: { type: "object" } }, many),
  });
  const args = ["scenarios", "a", "--project", project.directory];
  const { text } = await runInTerminal(args, 80);
  const lines = text.trimEnd().split("\n");
  assert.equal(lines.length, 38);
  assert.equal(lines.at(-1), "… 16 more lines; add | less to see all");
  assert.equal((await project.run(args)).out.trimEnd().split("\n").length, 53);
});
