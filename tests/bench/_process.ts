/** A process to measure, and what Linux tells of it; elsewhere only its times are measured. */
export interface Measured {
  readonly pid: number;
  /** Processor time used so far, in seconds. */
  cpu(): number;
  /** Memory in use, in bytes. */
  memory(): number;
  stop(): Promise<void>;
}

/** A command to start. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server that listens on a port; resolves as soon as it takes connections. */
export async function startListening(command: Command, port: number): Promise<Measured> {
  const child = spawn(command, "null");
  const ended = child.status.then(({ code }) => {
    throw new Error(`${command.command} ${command.args.join(" ")} ended with code ${code}`);
  });
  ended.catch(() => {});
  await Promise.race([waitForPort(port), ended]);
  return {
    pid: child.pid,
    cpu: () => cpuSeconds(child.pid),
    memory: () => memoryOf(child.pid),
    async stop() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

/** Starts a process whose output, and input if wanted, are pipes. */
export function spawn(
  { command, args, env = {} }: Command,
  stdin: "piped" | "null",
): Deno.ChildProcess {
  return new Deno.Command(command, {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
    stdin,
    stdout: stdin === "piped" ? "piped" : "null",
    // A log is written, but who reads it is not what is measured.
    stderr: "null",
  }).spawn();
}

/** A port that nothing listens on. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function waitForPort(port: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (true) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resume) => setTimeout(resume, 1));
    }
  }
}

const TICKS_PER_SECOND = 100;

function cpuSeconds(pid: number): number {
  const stat = tryRead(`/proc/${pid}/stat`);
  // The name, in parentheses, may hold anything; the fields after it are numbers.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function memoryOf(pid: number): number {
  return 1024 * Number(/VmRSS:\s*(\d+)/.exec(tryRead(`/proc/${pid}/status`))?.[1]);
}

function tryRead(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
