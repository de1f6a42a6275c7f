import { config } from "zod/v4/core";

// A session parses a few small messages with each of the SDK's schemas. Generating a parser for
// every one of them, as zod does by default, takes longer than those parsers then save.
config({ jitless: true });
