import type { JsonObject } from "../json.ts";
import type { JsonText } from "../json_text.ts";

/** An answer to a request. */
export type Reply =
  & { readonly jsonrpc: "2.0"; readonly id: string | number }
  & ({ readonly result: JsonObject | JsonText } | { readonly error: ReplyError });

/** Why a request failed. */
export interface ReplyError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}
