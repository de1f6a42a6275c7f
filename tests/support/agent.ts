import assert from "node:assert/strict";
import { join } from "node:path";
import type { Coherence } from "../../lib/check/coherence.ts";
import { spotsAt } from "../../lib/check/_facts.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { ConnectedClient } from "./client.ts";
import { ROOT } from "./program.ts";

type Texts =
  | ("address_id" | "basket_id" | "code" | "description" | "fareId" | "label" | "line_id")
  | ("locationUuid" | "merchant_name" | "merchant_type" | "note" | "order_id" | "paymentMethodId")
  | ("payment_method_id" | "productId" | "reason" | "rideId" | "scheduledAt" | "slot_id")
  | ("startsAt" | "status" | "subject_id" | "ticket_id" | "type" | "ar" | "value");
type Numbers =
  | ("balance" | "delay_minutes" | "delivery_fee" | "discount" | "fee" | "item_id")
  | ("latitude" | "longitude" | "merchant_id" | "min" | "minimum_order" | "price" | "quantity")
  | ("restaurant_id" | "seats" | "service_fee" | "tip" | "total" | "unit_price");
type Flags = "available" | "open" | "requires_choice" | "sold_out";
type Objects =
  | ("added" | "applied" | "basket" | "cancellation" | "eta" | "item" | "location" | "order")
  | ("payment" | "product" | "removed" | "reorder" | "restaurant" | "ride" | "summary" | "ticket")
  | ("updated" | "wallet");
type Lists =
  | ("addresses" | "baskets" | "categories" | "dishes" | "estimates" | "items" | "lines")
  | ("locations" | "offers" | "option_groups" | "orders" | "paymentMethods" | "products")
  | ("restaurants" | "slots" | "substitutes" | "timeline" | "transactions");

/**
 * What conversations look at in answers and their parts, all in one: each answer has some of it, and
 * a member that is not where a conversation expects it fails the conversation.
 */
export interface Answer
  extends
    Readonly<Record<Texts, string>>,
    Readonly<Record<Numbers, number>>,
    Readonly<Record<Flags, boolean>>,
    Readonly<Record<Objects, Answer>>,
    Readonly<Record<Lists, Answer[]>> {
  readonly allergens: string[];
  readonly courier?: Answer;
  readonly id: number & string;
  readonly merchant: Answer & string;
  readonly name: Answer & string;
  readonly options: Answer[] & string[];
  readonly rating: Answer & number;
  readonly suggestions: string[];
  readonly tags: string[];
}

const COHERENCE = JSON.parse(
  Deno.readTextFileSync(join(ROOT, "tools", "coherence.json")),
) as Coherence;

/** Ids of every kind; the numbers are those of merchants, dishes, products and their categories. */
const ID = /^(?:LOC|ADR|BSK|LN|OP|ORD|RIDE|PM|FARE|SLOT|TKT)-/;
const NUMERIC_IDS = ["restaurant_id", "merchant_id", "item_id", "product_id"];

/**
 * An agent in one conversation. It calls as models do, with `""`, 0, false and `[]` for whatever it
 * leaves out; it may only send ids that it was given; and it takes no answer that contradicts an
 * earlier one about the same id.
 */
export class Agent {
  /** Whatever an answer has shown. */
  private readonly given = new Set<JsonValue>();
  private readonly facts = new Map<string, { readonly value: string; readonly tool: string }>();
  /** Tools that answer what the developer chose. */
  private forced: Readonly<Record<string, string>> = {};

  /** An agent with the tools that a server lists now. */
  static async with(client: ConnectedClient, overrides: string): Promise<Agent> {
    const { tools } = await client.client.listTools();
    const schemas = new Map(tools.map((tool) => [tool.name, tool.inputSchema as JsonObject]));
    return new Agent(client, schemas, overrides);
  }

  private constructor(
    private readonly client: ConnectedClient,
    private readonly schemas: ReadonlyMap<string, JsonObject>,
    private readonly overrides: string,
  ) {}

  /** Calls a tool and returns its answer, which must be a success. */
  async ask(tool: string, args: JsonObject = {}): Promise<Answer> {
    const answer = await this.call(tool, args);
    assert.equal(answer.error, undefined, `${tool} ${JSON.stringify(args)}: ${answer.error}`);
    return answer as unknown as Answer;
  }

  /** Calls a tool that must answer with a business failure. */
  async fails(tool: string, args: JsonObject, wanted: RegExp): Promise<void> {
    const answer = await this.call(tool, args);
    assert.deepEqual(Object.keys(answer), ["error"], `${tool} ${JSON.stringify(args)}`);
    assert.match(String(answer.error), wanted);
  }

  /** Calls a tool with arguments that its schema must refuse. */
  async refuses(tool: string, args: JsonObject): Promise<void> {
    const { isError, text } = await this.client.call(tool, args);
    assert(isError, text);
    assert.match(text, /^validating "arguments": /);
  }

  /** Forces tools into scenarios, as the developer would; {} clears all. */
  async force(overrides: Readonly<Record<string, string>>): Promise<void> {
    await Deno.writeTextFile(this.overrides, JSON.stringify(overrides));
    this.forced = overrides;
  }

  private async call(tool: string, args: JsonObject): Promise<JsonObject> {
    const call = `${tool} ${JSON.stringify(args)}`;
    for (const [key, value] of leaves(args)) {
      const isId = typeof value === "string" ? ID.test(value) : NUMERIC_IDS.includes(key);
      if (isId) assert(this.given.has(value), `${call}: nobody gave ${value}`);
    }
    const schema = this.schemas.get(tool);
    assert(schema !== undefined, `there is no tool ${tool}`);
    const { isError, structured, text } = await this.client.call(tool, completed(args, schema));
    assert(!isError && structured !== undefined, `${call}: ${text}`);
    for (const [, value] of leaves(structured)) this.given.add(value);
    this.remember(tool, structured);
    return structured;
  }

  /** Holds what an answer says of each id against what was said before. */
  private remember(tool: string, answer: JsonObject): void {
    for (const [kind, entity] of Object.entries(COHERENCE.entities ?? {})) {
      for (const { in: tools = [], at, facts = {} } of [entity.stated, entity.shown ?? []].flat()) {
        if (![tools].flat().includes(tool)) continue;
        for (const { value: id, holder } of spotsAt(answer, at)) {
          for (const [fact, path] of Object.entries(facts)) {
            // Force is another moment of the same thing.
            if (tool in this.forced && entity.unlessForced?.includes(fact)) continue;
            const from = path.startsWith("/") ? answer : holder;
            const values = spotsAt(from, path.replace("/", "")).map(({ value }) => value);
            if (values.length === 0) continue;
            const key = `the ${fact} of the ${kind} ${id}`;
            const value = JSON.stringify(values);
            const before = this.facts.get(key) ?? { value, tool };
            assert.equal(value, before.value, `${key}: ${tool} contradicts ${before.tool}`);
            this.facts.set(key, before);
          }
        }
      }
    }
  }
}

/** The arguments with a value for each property that was left out, as strict tool calling has it. */
function completed(args: JsonObject, { properties = {} }: JsonObject): JsonObject {
  const all = Object.entries(properties as JsonObject).map(([name, schema]) => {
    const given = args[name];
    const property = schema as JsonObject;
    if (isJsonObject(given)) return [name, completed(given, property)];
    return [name, given ?? property.default ?? emptyOf(property)];
  });
  return { ...args, ...Object.fromEntries(all) };
}

function emptyOf({ type, minimum }: JsonObject): JsonValue {
  switch (type) {
    case "string":
      return "";
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return minimum ?? 0;
  }
}

function* leaves(value: JsonValue, key = ""): Generator<[key: string, JsonValue]> {
  if (Array.isArray(value)) {
    for (const element of value) yield* leaves(element, key);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* leaves(member, name);
  } else {
    yield [key, value];
  }
}

/**
 * The one element that satisfies a condition.
 *
 * @param list The elements.
 * @param is The condition.
 * @returns The first one; the conversation fails without any.
 */
export function pick(list: Answer[], is: (element: Answer) => boolean): Answer {
  assert(Array.isArray(list));
  const found = list.find(is);
  assert(found !== undefined, `nothing suitable in ${JSON.stringify(list).slice(0, 500)}`);
  return found;
}
