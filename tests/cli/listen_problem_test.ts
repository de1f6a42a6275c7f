import assert from "node:assert/strict";
import { listenProblem } from "../../lib/cli/listen_problem.ts";

Deno.test("why a server cannot listen is said with what to do instead, which is something else", () => {
  const { AddrInUse, NotCapable, PermissionDenied } = Deno.errors;
  const noAddress = Object.assign(new Error("x"), { code: "EADDRNOTAVAIL" });
  const cases: [string, number, Error, RegExp][] = [
    ["127.0.0.1", 8787, new AddrInUse(), /^Port 8787 on 127\.0\.0\.1 is taken.+--port 8788$/],
    ["::1", 65_535, new AddrInUse(), /^Port 65535 on ::1 is taken.+: --port 0$/],
    ["192.0.2.2", 8787, new NotCapable("x"), /^Cannot listen on 192.+127\.0\.0\.1.+\n.+0\.0\.0\.0/],
    ["127.0.0.1", 80, new PermissionDenied(), /below 1024 .+\nTake another: --port 8787$/],
    [
      "127.0.0.1",
      9000,
      noAddress,
      /: this machine has no such address\nTry another port: --port 0$/,
    ],
    ["::1", 9000, noAddress, /no such address\nTry another address: --host 127\.0\.0\.1$/],
  ];
  for (const [host, port, error, message] of cases) {
    assert.match(listenProblem({ host, port }, error), message);
  }
});
