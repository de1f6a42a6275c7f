import "./_zod.ts";
import type { Protocol } from "@modelcontextprotocol/sdk/shared/protocol";
import { Protocol as ProtocolClass } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Notification, Request, Result } from "@modelcontextprotocol/sdk/types";

// The package declares its types under names without `.js`, and its code under names with it.
const Base: typeof Protocol = ProtocolClass;

/**
 * The server end of the SDK's protocol: messages, ids, errors and `ping`.
 *
 * The SDK's `Server` is this and much that is never used here (elicitation, sampling, log levels,
 * tasks), and it brings a schema validator for that: a third of the time the SDK takes to load.
 *
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic
 */
export class ProtocolServer extends Base<Request, Notification, Result> {
  // Asked before anything is registered or sent; all that this server sends is answers.
  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}
