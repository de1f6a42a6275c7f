/** How a run of a program ended, and what it wrote. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
