import "./_zod.ts";
import type { Protocol } from "@modelcontextprotocol/sdk/shared/protocol";
import { Protocol as ProtocolClass } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  Implementation,
  InitializeRequestSchema,
  Notification,
  Request,
  Result,
  ServerCapabilities,
} from "@modelcontextprotocol/sdk/types";
import * as sdk from "@modelcontextprotocol/sdk/types.js";

// The package declares its types under names without `.js`, and its code under names with it.
const Base: typeof Protocol = ProtocolClass;
const initializeRequest: typeof InitializeRequestSchema = sdk.InitializeRequestSchema;
const versions: readonly string[] = sdk.SUPPORTED_PROTOCOL_VERSIONS;
const latestVersion: string = sdk.LATEST_PROTOCOL_VERSION;

/**
 * The server end of the SDK's protocol: framing, ids, errors, `ping`, and the handshake.
 *
 * The SDK's `Server` is this and much that is never used here (elicitation, sampling, log levels,
 * tasks), and it brings a schema validator for that: a third of the time the SDK takes to load.
 *
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
export class ProtocolServer extends Base<Request, Notification, Result> {
  /**
   * @param serverInfo Who clients are told this is.
   * @param capabilities What they are told it can do.
   */
  constructor(serverInfo: Implementation, capabilities: ServerCapabilities) {
    super();
    this.setRequestHandler(initializeRequest, ({ params: { protocolVersion } }) => ({
      protocolVersion: versions.includes(protocolVersion) ? protocolVersion : latestVersion,
      capabilities,
      serverInfo,
    }));
  }

  // Asked before anything is registered or sent; all that this server sends is answers.
  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}
