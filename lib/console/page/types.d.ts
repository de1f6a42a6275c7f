// The console's API, as docs/CONSOLE.md describes it.

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A call as lists have it. */
export interface Summary {
  readonly id: string;
  readonly time: string;
  readonly pid?: number;
  readonly transport?: string;
  readonly session?: string;
  readonly client?: { readonly name: string; readonly version: string };
  readonly tool: string;
  readonly scenario?: string;
  readonly why?: string;
  readonly fault?: string;
  readonly delayMs?: number;
  readonly isError?: boolean;
  /** The error that the answer itself tells. */
  readonly error?: string;
  readonly problem?: string;
  readonly ms?: number;
  readonly pending?: boolean;
  /** JSON, of which what is long was cut. */
  readonly arguments?: string;
}

/** A call as the journal has it. */
export interface Call extends Omit<Summary, "arguments"> {
  readonly arguments?: Json;
  readonly rule?: JsonObject;
  readonly result?: Json;
  readonly argumentsCutFrom?: number;
  readonly resultCutFrom?: number;
}

export interface Difference {
  readonly path: string;
  readonly want?: Json;
  readonly got?: Json;
}

export interface TriedRule {
  readonly scenario: string;
  readonly line: number;
  readonly rule: Json;
  readonly matched: boolean;
  readonly differences: readonly Difference[];
}

export interface CallDetail {
  readonly call: Call;
  readonly scenario?: {
    readonly name: string;
    readonly prose: string;
    readonly file: string | null;
    readonly line: number;
  };
  readonly rules: readonly TriedRule[];
  /** None for a call whose arguments are not known whole. */
  readonly commands: { readonly call?: string; readonly verify?: string };
}

export interface About {
  readonly version: string;
  readonly token: string;
  readonly tools: string | null;
  readonly overrides: string;
  readonly calls: string;
}

/** What becomes of one call, or of several. */
export interface Step {
  readonly scenario?: string;
  readonly fault?: string;
  readonly delay?: string;
  readonly times?: number;
}

export interface ForcedEntry {
  readonly key: string;
  readonly steps: readonly Step[];
  readonly text: string;
  readonly progress?: string;
}

export interface Forced {
  readonly entries: readonly ForcedEntry[];
  readonly problems: readonly {
    readonly message: string;
    readonly line?: number;
  }[];
}

export interface ToolSummary {
  readonly name: string;
  readonly title?: string;
  readonly domain: string;
  readonly description: string;
  readonly scenarios: number;
  readonly isBroken?: string;
}

export interface Scenario {
  readonly name: string;
  readonly line: number;
  readonly about: string;
  readonly prose: string;
  readonly match: Json;
  readonly default: boolean;
  readonly isError: boolean;
  readonly byForce: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly domain: string;
  readonly file: string | null;
  readonly definition: JsonObject;
  readonly sample: Json;
  readonly scenarios: readonly Scenario[];
}

export interface Found {
  readonly tool: string;
  readonly scenario: string;
  readonly line: number;
  readonly about: string;
  readonly in: string;
}

export interface Preview {
  readonly scenario?: string;
  readonly why?: string;
  readonly rule?: Json;
  readonly file?: string | null;
  readonly line?: number;
  readonly result?: Json;
  readonly problem?: string;
}

export interface Problem {
  readonly severity: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

/** What `add` would write, or wrote. */
export interface Saved {
  readonly file: string;
  readonly line: number;
  readonly how?: string;
  readonly text: string;
  readonly changes?: readonly unknown[];
  readonly findings?: readonly unknown[];
}

export interface Widget {
  readonly uri: string;
  readonly html: string;
  readonly csp: Json;
  readonly prefersBorder?: boolean;
}

/** What the calls are narrowed to. */
export interface Filter {
  readonly tool: string;
  readonly client: string;
  readonly q: string;
  readonly errors: boolean;
  readonly session: string;
}
