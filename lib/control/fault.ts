import type { WireJson } from "../wire_json.ts";
import type { Fault } from "./overrides.ts";

/** A failure of the service or of a gateway, forced by the developer, for the transport to show. */
export class ForcedFault extends Error {
  override readonly name = "ForcedFault";

  /** @param answer The message that would have been sent, where half of it is. */
  constructor(readonly fault: Fault, readonly answer?: WireJson) {
    super(`fault ${fault}, as forced`);
  }
}

/** What Go's net/http, and a gateway in front of it, say of a status. */
export const STATUS_TEXTS: Readonly<Partial<Record<Fault, readonly [number, string]>>> = {
  "unauthorized": [401, "Unauthorized"],
  "404": [404, "404 page not found"],
  "429": [429, "Too Many Requests"],
  "500": [500, "Internal Server Error"],
  "502": [502, "Bad Gateway"],
  "503": [503, "Service Unavailable"],
  "504": [504, "Gateway Timeout"],
};

/**
 * The first half of something that is sent and then cut.
 *
 * @returns Half of it, at least a byte.
 */
export function halfOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}
