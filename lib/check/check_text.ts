import { type Node, parseTree } from "jsonc-parser";
import type { Outline, OutlineBlock } from "../fixture/outline.ts";
import { lineAt } from "../json_error.ts";
import { scanTemplate } from "../template/scan.ts";
import { TemplateError } from "../template/template.ts";
import type { CheckName, Finding } from "./finding.ts";

/** A file with its text, as far as it has one. */
export interface TextFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Finds bytes that are no UTF-8: reading puts `�` in their place, and clients would see that. */
export function checkEncoding({ path, bytes }: TextFile): Finding[] {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return [];
  } catch {
    const isUtf16 = [0xfeff, 0xfffe].includes(((bytes[0] ?? 0) << 8) + (bytes[1] ?? 0));
    const text = isUtf16 ? "" : new TextDecoder().decode(bytes);
    const line = lineAt(text, Math.max(0, text.indexOf("\uFFFD")));
    const message = `the file is ${isUtf16 ? "UTF-16" : "not UTF-8"}; save it as UTF-8`;
    return [{ path, line, rule: "encoding", message }];
  }
}

/**
 * Finds in the text of a tool file what its parsed form does not show: near misses of headings and
 * fences, numbers that JSON does not keep, keys that stand twice in one object.
 */
export function checkText(path: string, tool: string | undefined, outline: Outline): Finding[] {
  const about = tool === undefined ? { path } : { path, tool };
  return [
    ...outline.slips.map(({ derails: _, ...slip }): Finding => ({
      ...about,
      rule: "markup",
      ...slip,
    })),
    ...outline.blocks.flatMap((block) => {
      const { scenario } = block;
      return blockFindings(block).map(({ offset, ...found }): Finding => ({
        ...about,
        ...(scenario !== undefined && { scenario }),
        line: block.line + lineAt(block.text, offset),
        ...found,
      }));
    }),
  ];
}

interface BlockFinding {
  readonly offset: number;
  readonly rule: CheckName;
  readonly message: string;
}

function blockFindings(block: OutlineBlock): BlockFinding[] {
  const text = withoutPlaceholders(block);
  const root = parseTree(text);
  return root === undefined ? [] : findingsIn(root, text);
}

function findingsIn(node: Node, text: string): BlockFinding[] {
  if (node.type === "number") return numberFindings(node, text);
  const seen = new Set<string>();
  const twice = (node.type === "object" ? node.children ?? [] : []).flatMap((property) => {
    const key = String(property.children?.[0]?.value);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message =
      `the key \`${key}\` stands twice in one object, and only the last one counts; ` +
      "remove one of them";
    return [{ offset: property.offset, rule: "duplicate-key" as const, message }];
  });
  return [...twice, ...(node.children ?? []).flatMap((child) => findingsIn(child, text))];
}

function numberFindings({ offset, length }: Node, text: string): BlockFinding[] {
  const written = text.slice(offset, offset + length);
  const value = Number(written);
  const message = !Number.isFinite(value)
    ? `${written} is more than a number can hold, and would be sent as null; write a smaller one`
    : /^-?\d+$/.test(written) && BigInt(written) !== BigInt(value)
    ? `${written} has more digits than a number can hold, and would be sent as ${value}; ` +
      "write it as a string, or with fewer digits"
    : undefined;
  return message === undefined ? [] : [{ offset, rule: "number", message }];
}

/** The JSON of a block with a number, as long as the placeholder, in the place of each. */
function withoutPlaceholders({ kind, text }: OutlineBlock): string {
  if (kind === "tool" || kind === "match") return text;
  try {
    return scanTemplate(text).segments.map((segment) => {
      if (segment.kind === "text") return segment.text;
      return (segment.inString ? "" : "0").padEnd(segment.length);
    }).join("");
  } catch (error) {
    // Parsing the file reports that.
    if (error instanceof TemplateError) return "";
    throw error;
  }
}
