import assert from "node:assert/strict";
import { isTrusted, stampOf } from "../../lib/store/stamp.ts";

Deno.test("a stamp is trusted when its file has been left alone for two seconds", () => {
  const file = Deno.makeTempFileSync();
  try {
    const stamp = stampOf(file)!;
    assert(
      !isTrusted(stamp, Date.now()) && isTrusted(stamp, Date.now() + 3_000),
    );
    assert(!isTrusted({ ...stamp, modified: NaN }, Date.now() + 3_000));
  } finally {
    Deno.removeSync(file);
  }
});
