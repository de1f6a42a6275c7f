import { sameStamp, type Stamp } from "./stamp.ts";

/** How long to wait before a file that may be in the middle of a save is looked at again. */
const PAUSE_MS = 30;
/** How long a call waits for a file that changes all the time. */
const PATIENCE_MS = 250;

/** What one look at a file gave. */
export interface Reading {
  /** The file's text, or why it cannot be read; `undefined` when nothing was read. */
  readonly text: string | undefined;
  /** How the file was, or where there is none, its folder. */
  readonly stamp: Stamp | undefined;
  /** Whether the text can be used, and is whole as far as can be told. */
  readonly whole: boolean;
}

/**
 * Looks at a file that somebody may be saving, again where it is not whole. A text that is not whole
 * counts when it is there twice and nothing has changed between: then nobody is writing it. So a call
 * during a save gets the old or the new text.
 */
export function settled<T extends Reading>(look: () => T): T | Promise<T> {
  const first = look();
  return first.whole ? first : lookAgain(look, first);
}

async function lookAgain<T extends Reading>(look: () => T, first: T): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  let before = first;
  while (true) {
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    const now = look();
    const isAtRest = now.text === before.text && sameStamp(now.stamp, before.stamp);
    if (now.whole || isAtRest || Date.now() > deadline) return now;
    before = now;
  }
}
