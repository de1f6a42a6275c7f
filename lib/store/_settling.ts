/** A file younger than this may still be in the middle of being saved. */
export const SETTLING_MS = 25;
/** How long a call waits for a file to settle or to come back, in all. */
export const PATIENCE_MS = 250;
const PAUSE_MS = 10;

/** Waits until it is worth looking at a file again. */
export function pause(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, PAUSE_MS));
}
