/**
 * Why something is not done: it cannot be understood (`usage`), does not fit what is there (`unfit`),
 * names what does not exist (`missing`), or what is there stands against it (`conflict`).
 */
export type RefusalKind = "usage" | "unfit" | "missing" | "conflict";

/** Something that was asked for is not done; the message says why and what to do. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param see The words of the command that tells more. */
  constructor(readonly kind: RefusalKind, message: string, readonly see?: readonly string[]) {
    super(message);
  }
}
