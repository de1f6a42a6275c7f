import { overHttp } from "./_section_call.ts";
import { contenders, type Setting } from "./_setting.ts";

/** Measures `tools/list`. */
export async function listSection(setting: Setting): Promise<void> {
  const question = { method: "tools/list", params: {}, milliseconds: setting.milliseconds };
  const all = await contenders(setting, question);
  for (const clients of [1, 32]) {
    await overHttp("tools/list", all, { ...question, clients }, setting.rounds);
  }
}
