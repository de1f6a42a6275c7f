/** What rendering takes from the world. Passed in, so that a test can fix all of it. */
export interface RenderEnvironment {
  /** The current time, in milliseconds since the Unix epoch. */
  now(): number;
  /** A random UUID v4. */
  uuid(): string;
  /** A random integer from `min` to `max`, both included. */
  randomInteger(min: number, max: number): number;
}

/** The clock and the random source of this machine. */
export const systemEnvironment: RenderEnvironment = {
  now: () => Date.now(),
  uuid: () => crypto.randomUUID(),
  randomInteger: (min, max) => min + Math.floor(Math.random() * (max - min + 1)),
};
