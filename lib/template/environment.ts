/** What rendering takes from the world. Passed in, so that a test can fix all of it. */
export interface RenderEnvironment {
  /** The current time, in milliseconds since the Unix epoch. */
  now(): number;
  /** A random UUID v4. */
  uuid(): string;
  /** A random integer from `min` to `max`, both included. */
  randomInteger(min: number, max: number): number;
}

/**
 * A fixed time, and the lowest or the highest random numbers: what a template may become at the
 * least and at the most, the same at every trial.
 */
export const trialEnvironments: readonly RenderEnvironment[] = [
  (min: number, _max: number) => min,
  (_min: number, max: number) => max,
].map((randomInteger) => ({
  now: () => Date.UTC(2026, 0, 1),
  uuid: () => "00000000-0000-4000-8000-000000000000",
  randomInteger,
}));

/** The clock and the random source of this machine. */
export const systemEnvironment: RenderEnvironment = {
  now: () => Date.now(),
  uuid: () => crypto.randomUUID(),
  randomInteger: (min, max) => min + Math.floor(Math.random() * (max - min + 1)),
};
