import assert from "node:assert/strict";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { readFolder } from "../../lib/store/folder.ts";
import { listFiles } from "../../lib/store/list_files.ts";
import { connect } from "../support/client.ts";
import { programCommand, ROOT } from "../support/program.ts";
import {
  FENCE,
  FIND_DISH,
  makeProject,
  runInTerminal,
  type TestProject,
  toolFile,
  TRACK_ORDER,
} from "./_program.ts";

const TOOLS = join(ROOT, "tools");

function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    listFiles(folder).map((file) => [file, Deno.readTextFileSync(join(folder, file))]),
  );
}

function save(project: TestProject, tools: readonly JsonValue[]): string {
  return project.write("list.json", JSON.stringify({ tools }));
}

/** Gives a property another name, in its place. */
function rename(schema: JsonValue, from: string, to: string): void {
  assert(isJsonObject(schema) && isJsonObject(schema.properties));
  assert(Object.hasOwn(schema.properties, from), from);
  schema.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([key, value]) => [key === from ? to : key, value]),
  );
  if (Array.isArray(schema.required)) {
    schema.required = schema.required.map((key) => key === from ? to : key);
  }
}

Deno.test("production's changes are carried along, and back, byte for byte", async () => {
  using project = makeProject(
    Object.fromEntries(
      Object.entries(filesOf(TOOLS)).map(([file, text]) => [`tools/${file}`, text]),
    ),
  );
  const before = filesOf(project.path("tools"));
  const old = [...readFolder(TOOLS).fixtures.values()].map(({ definition }) => definition);
  const tools = structuredClone(old);
  const inputOf = (name: string): JsonObject =>
    tools.find((tool) => tool.name === name)!.inputSchema;
  const propertyOf = (name: string, key: string): JsonObject =>
    (inputOf(name).properties as JsonObject)[key] as JsonObject;
  for (const tool of ["order_get_status", "order_cancel"]) {
    rename(inputOf(tool), "order_id", "orderId");
  }
  for (const place of ["pickup", "dropoff"]) {
    rename(propertyOf("ride_get_estimates", place), "locationUuid", "placeId");
  }
  rename(inputOf("cart_apply_promo"), "code", "promo");
  inputOf("food_search_dishes").required = ["query", "latitude", "longitude", "vegetarian"];
  propertyOf("support_get_ticket", "ticket_id").type = "integer";
  (inputOf("pay_get_wallet_balance").properties as JsonObject).currency = { type: "string" };
  tools.push({ name: "order_tip", inputSchema: { type: "object" } });

  const list = save(project, tools);
  const dry = await project.run(["import", list, "--dry-run"]);
  assert.match(
    dry.out,
    /\? order_id seems to be orderId now; .+--rename order_cancel\.order_id=orderId/,
  );
  assert.match(dry.out, /\? pickup\.locationUuid seems to be pickup\.placeId now/);
  assert.deepEqual(filesOf(project.path("tools")), before);

  const renames = (...pairs: string[]): string[] => pairs.flatMap((pair) => ["--rename", pair]);
  const done = await project.run([
    "import",
    list,
    ...renames("order_id=orderId", "ride_get_estimates.locationUuid=placeId", "code=promo"),
  ]);
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /! `vegetarian` is required now: \d+ scenarios? do not ask for it/);
  assert.match(done.out, /! `ticket_id` has another type: \d+ scenarios? use it/);
  assert.match(done.out, /updated {2}coherence\.json/);
  assert.match(
    done.err,
    /^careem-mcp: \d+ findings .+\n.+ticket_id.+ \(and \d+ scenarios more\)\nTo go back: /,
  );
  assert.deepEqual(filesOf(project.path(".run", "before-import")), before);

  // What is left is what only a person can write: of the new type, and of the new tool.
  const { findings } = JSON.parse((await project.run(["check", "--json"])).out);
  const left = new Set(
    (findings as { rule: string; file: string }[]).map(({ rule, file }) =>
      `${rule} ${file.split("/").at(-1)}`
    ),
  );
  const known =
    /^(?:scaffold order_tip|(?:input|coherence|argument|shadowed|output) (?:support_get_ticket|support_\w+|coherence))/;
  for (const one of left) assert.match(one, known);
  assert(left.has("scaffold order_tip.md"));

  await using server = await connect("stdio", ["--project", project.directory]);
  const status = await server.call("order_get_status", { orderId: "ORD-80001" });
  assert.equal((status.structured!.order as JsonObject).merchant_name, "Shawarma Station");

  const back = await project.run([
    "import",
    save(project, old),
    "--prune",
    ...renames("orderId=order_id", "placeId=locationUuid", "promo=code"),
  ]);
  assert.equal(back.code, 0, back.err);
  assert.deepEqual(filesOf(project.path("tools")), before);
});

Deno.test("names change in rules and placeholders alone, in lists and objects, whatever the line ends", async () => {
  const definition = structuredClone(TRACK_ORDER) as JsonObject;
  const file = toolFile(definition, [
    {
      name: "near",
      match: { place: { latitude: 25.1 }, order_id: "order_id" },
      response: '{"order": "order_id {{args.order_id}} {{ args.place.latitude }}"}',
    },
    { name: "default", response: {} },
  ]).replaceAll("\n", "\r\n");
  using project = makeProject({ "tools/orders/order_track.md": file });
  rename(definition.inputSchema!, "order_id", "id");
  rename(
    (definition.inputSchema as JsonObject & { properties: JsonObject }).properties.place!,
    "latitude",
    "lat",
  );
  const list = save(project, [definition]);
  const vain = await project.run(["import", list, "--rename", "oder_id=id"]);
  assert.match(vain.err, /--rename oder_id=id: in no tool such an argument goes/);
  const wrong = await project.run(["import", list, "--rename", "order_id"]);
  assert.equal(wrong.code, 2);
  assert.equal(project.read("tools/orders/order_track.md"), file);
  await project.run([
    "import",
    list,
    "--rename",
    "order_track.order_id=id",
    "--rename",
    "place.latitude=lat",
  ]);
  const after = project.read("tools/orders/order_track.md");
  assert(after.includes(`{"place":{"lat":25.1},"id":"order_id"}\r\n${FENCE}`), after);
  assert(after.includes('{"order": "order_id {{args.id}} {{ args.place.lat }}"}\r\n'), after);
  assert(!/[^\r]\n/.test(after));
});

Deno.test("findings are told by their cause, --json has all, and start warns of samples", async () => {
  const scenarios = Array.from(
    { length: 40 },
    (_, at) => ({ name: `n${at}`, match: { query: `q${at}` }, response: { dishes: [] } }),
  );
  using project = makeProject({
    "tools/food/food_find_dish.md": toolFile(FIND_DISH, [...scenarios, { name: "default" }]),
  });
  const changed = structuredClone(FIND_DISH);
  changed.outputSchema = { type: "object", properties: {}, required: ["total"] };
  const list = save(project, [changed, { name: "gift_send", inputSchema: { type: "object" } }]);
  const json = await project.run(["import", list, "--dry-run", "--json"]);
  assert.equal(JSON.parse(json.out).findings.length, 41);
  const { err } = await project.run(["import", list]);
  assert.match(
    err,
    /^careem-mcp: 41 findings in what changed:\n.+total.+ \(and 40 scenarios more\)\nTo go back: .+\n$/,
  );
  await using server = await connect("stdio", ["--project", project.directory]);
  await server.client.listTools();
  const served = await project.run(["start", "--stdio"]);
  assert.match(
    served.err,
    /Warning: gift_send answers with a sample; write its answers in .+gift_send\.md/,
  );
});

Deno.test("on a terminal a yes renames, a no does not", async () => {
  const definition = structuredClone(TRACK_ORDER) as JsonObject;
  rename(definition.inputSchema!, "order_id", "orderId");
  for (const [answer, isRenamed] of [["y\n", true], ["n\n", false]] as const) {
    using project = makeProject();
    const list = save(project, [definition]);
    const args = ["import", list, "--project", project.directory];
    const { text } = await runInTerminal(args, 200, {}, answer);
    assert.match(text, /`order_id` of order_track seems to be `orderId` now\. Rewrite its rules/);
    const file = project.read("tools/orders/order_track.md");
    assert.equal(file.includes("{{args.orderId}}"), isRenamed, text);
    assert(file.includes('"orderId": {'), text);
  }
});

Deno.test("when a file cannot be written, those before it are taken back", async () => {
  if (Deno.build.os === "windows") return;
  using project = makeProject();
  const before = filesOf(project.path("tools"));
  const list = save(project, [
    { ...FIND_DISH, title: "Another" },
    { name: "gift_send", inputSchema: { type: "object" } },
    { ...TRACK_ORDER, description: "long ".repeat(400_000) },
    { name: "wrap_it", description: "long ".repeat(400_000), inputSchema: { type: "object" } },
  ]);
  // No file may grow beyond a megabyte.
  const line = [...programCommand(), "import", list, "--project", project.directory]
    .map((word) => `'${word}'`).join(" ");
  const { code, stderr } = await new Deno.Command("bash", {
    args: ["-c", `trap '' XFSZ; ulimit -f 1024; exec ${line}`],
  }).output();
  const err = new TextDecoder().decode(stderr);
  assert.equal(code, 1, err);
  assert.match(err, /order_track\.md cannot be written: .+\nNothing was changed\./);
  assert.deepEqual(filesOf(project.path("tools")), before);
});
