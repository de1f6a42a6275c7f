import assert from "node:assert/strict";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { call, casesOf, failureOf, readLibrary, visit } from "./_library.ts";

// Where the customer can be, and what a ride costs from anywhere to anywhere.

const library = readLibrary();

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface Place extends Point {
  readonly locationUuid: string;
  readonly name: string;
}

/** The zones by the digit of their ids, with their middles. */
const ZONES: readonly (Point & { readonly name: string })[] = [
  { name: "Dubai Marina", latitude: 25.09, longitude: 55.15 },
  { name: "Jumeirah", latitude: 25.15, longitude: 55.22 },
  { name: "Downtown", latitude: 25.2, longitude: 55.275 },
  { name: "Old Dubai", latitude: 25.265, longitude: 55.305 },
  { name: "Dubai Hills", latitude: 25.06, longitude: 55.22 },
  { name: "Airport", latitude: 25.24, longitude: 55.37 },
  { name: "Silicon Oasis", latitude: 25.11, longitude: 55.36 },
  { name: "Jebel Ali", latitude: 24.97, longitude: 55.13 },
];
const HATTA = "LOC-59001";

/** Every place that a search lists or that the customer has saved, Hatta left out. */
const places = placesOf(["location_search", "location_get_saved_addresses"]);

Deno.test("a ride has a fare between all places that are listed, and most are plausible", async (t) => {
  assert(places.length >= 25);
  let pairs = 0;
  let byZones = 0;
  let byPlaces = 0;
  for (const from of places) {
    for (const to of places) {
      if (from === to) continue;
      const answer = answerOf("ride_get_estimates", {
        pickup: { locationUuid: from.locationUuid },
        dropoff: { locationUuid: to.locationUuid },
      });
      const where = `${from.name} to ${to.name}: ${JSON.stringify(answer)}`;
      const [go] = (answer.estimates ?? []) as JsonObject[];
      assert(go?.productId === "careem-go", where);
      const trip = `FARE-${zoneOf(from)}${zoneOf(to)}-GO`;
      assert.equal(go.fareId, trip, where);
      pairs++;
      const fare = Number(go.fare);
      if (isPlausible(fare, ZONES[zoneOf(from)]!, ZONES[zoneOf(to)]!)) byZones++;
      if (isPlausible(fare, from, to)) byPlaces++;
    }
  }
  // The figures are in the steps' names, where a run shows them.
  await t.step(`${pairs} pairs of ${places.length} places, each with a fare`, () => {});
  for (const [plausible, ends] of [[byZones, "zones' middles"], [byPlaces, "places"]] as const) {
    const shown = `${share(plausible, pairs)} within 0.9 and 2.2 times the straight line's`;
    await t.step(`${shown} between the ${ends}, of at least 85 %`, () => {
      assert(plausible >= 0.85 * pairs);
    });
  }
});

Deno.test("there is no ride from or to Hatta", () => {
  const home = { locationUuid: "LOC-50001" };
  const hatta = { locationUuid: HATTA };
  for (const trip of [{ pickup: home, dropoff: hatta }, { pickup: hatta, dropoff: home }]) {
    assert.match(failureOf(answerOf("ride_get_estimates", trip))!, /outside the service area/);
  }
});

Deno.test("a place is known within 100 metres", async (t) => {
  for (const place of places) {
    await t.step(place.name, () => {
      for (const metres of [0, 20, 45, 70, 85, 100]) {
        for (let degrees = 0; degrees < 360; degrees += 7.5) {
          const point = away(place, metres, degrees);
          const { location } = answerOf("reverse_geocode", coordinates(point));
          assert(isJsonObject(location), `${metres} m away`);
          assert.equal(location.locationUuid, place.locationUuid, `${metres} m at ${degrees}°`);
        }
      }
    });
  }
});

Deno.test("a pin anywhere else carries its zone", async (t) => {
  let pins = 0;
  let near = 0;
  const zones = new Set<number>();
  for (const [digit, zone] of ZONES.entries()) {
    assert.equal(zoneAt(zone), digit, `the middle of ${zone.name}`);
  }
  // Half a kilometre and more around each place; the next zone may begin there.
  for (const place of places) {
    for (let degrees = 5; degrees < 360; degrees += 30) {
      const point = away(place, 500, degrees);
      const zone = zoneAt(point);
      pins++;
      zones.add(zone);
      if (zone === zoneOf(place)) near++;
    }
  }
  await t.step(`${share(near, pins)} of ${pins} points 500 m from a place have its zone`, () => {
    assert(near >= 0.9 * pins);
  });
  assert.equal(zones.size, ZONES.length);
});

/** The zone of a point; a pin says where it is, and its area is the zone's name. */
function zoneAt(point: Point): number {
  const { location } = answerOf("reverse_geocode", coordinates(point));
  const where = JSON.stringify([point, location]);
  assert(isJsonObject(location), where);
  const [, zone, rest] = /^LOC-5([0-7])(\d+)$/.exec(String(location.locationUuid)) ?? [];
  assert(zone !== undefined, where);
  if (rest === "900") {
    assert.equal(location.area, ZONES[Number(zone)]!.name, where);
    assert.deepEqual([location.latitude, location.longitude], [point.latitude, point.longitude]);
  }
  return Number(zone);
}

function coordinates({ latitude, longitude }: Point): JsonObject {
  return { latitude, longitude };
}

/** Whether a fare lies between 0.9 and 2.2 times what the straight line would cost. */
function isPlausible(fare: number, from: Point, to: Point): boolean {
  const straight = Math.max(12, 8 + 1.6 * kilometres(from, to));
  return fare >= 0.9 * straight && fare <= 2.2 * straight;
}

const KILOMETRES_A_DEGREE = 111.32;

function kilometres(from: Point, to: Point): number {
  const shrink = Math.cos(25.1 * Math.PI / 180);
  return KILOMETRES_A_DEGREE *
    Math.hypot(to.latitude - from.latitude, (to.longitude - from.longitude) * shrink);
}

function away({ latitude, longitude }: Point, metres: number, degrees: number): Point {
  const angle = degrees * Math.PI / 180;
  const step = metres / 1000 / KILOMETRES_A_DEGREE;
  return {
    latitude: latitude + step * Math.cos(angle),
    longitude: longitude + step * Math.sin(angle) / Math.cos(latitude * Math.PI / 180),
  };
}

function placesOf(tools: readonly string[]): Place[] {
  const found = tools.flatMap((tool) => casesOf(library, tool))
    .flatMap(({ answer }) => [...visit(answer)]).map(({ value }) => value).filter(isPlace);
  const known = new Map(found.map((place) => [place.locationUuid, place]));
  return [...known.values()].filter(({ locationUuid }) => locationUuid !== HATTA);
}

function isPlace(value: JsonValue): value is Place & JsonObject {
  return isJsonObject(value) && "locationUuid" in value && "latitude" in value;
}

function zoneOf({ locationUuid }: Place): number {
  return Number(/^LOC-5([0-7])0\d\d$/.exec(locationUuid)?.[1]);
}

function answerOf(tool: string, args: JsonObject): JsonObject {
  const reply = call(library, tool, args);
  assert(typeof reply !== "string" && isJsonObject(reply.answer), String(reply));
  return reply.answer;
}

function share(part: number, whole: number): string {
  return `${(100 * part / whole).toFixed(1)} %`;
}
