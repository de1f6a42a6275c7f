import type { ProjectFiles } from "../check/check_project.ts";
import type { JsonObject } from "../json.ts";
import type { Appearance } from "../mcp/twin.ts";
import type { Library } from "./library.ts";

/** Where everything is that a console shows. */
export interface ConsoleFiles extends ProjectFiles {
  readonly callsPath: string;
  /** Whether the tool files are inside the executable, where nobody can open them. */
  readonly packed: boolean;
}

/** What a console is told of the program and its server. */
export interface ConsoleSettings {
  readonly files: ConsoleFiles;
  readonly appearance: Appearance;
  /** The program's own version. */
  readonly version: string;
  /** Words a command line of the program for pasting. */
  readonly commandLine: (words: readonly string[]) => string;
  /** Tells the developer something. */
  readonly note: (message: string) => void;
}

/** What all of the API shares. */
export interface Context extends ConsoleSettings {
  readonly library: Library;
  /** What a write has to bring along. */
  readonly token: string;
}

/** A request of the API that may pass. */
export interface ApiRequest {
  /** The parts of the path that the route leaves open, decoded. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  /** What a write brings; empty where it brings none. */
  readonly body: JsonObject;
}

/** Answers a request: with what becomes its JSON, or with a whole response. */
export type Handler = (request: ApiRequest, context: Context) => unknown;
