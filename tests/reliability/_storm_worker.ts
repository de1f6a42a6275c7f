import { type Orders, pause, SAVES } from "./_storm.ts";

/** A save that took longer may have left half a file at rest for a while. */
const HALTED_MS = 15;

/** This thread, as the type checker does not know it where the rest of the project is checked. */
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<Orders>) => void;
  postMessage: (message: unknown) => void;
};

thread.onmessage = ({ data }) => {
  const { path, texts, shared } = data;
  const ways = Object.values(SAVES);
  const halted = new Set<number>();
  for (let save = 1; Atomics.load(shared, 2) === 0; save++) {
    Atomics.store(shared, 0, save);
    const started = performance.now();
    ways[save % ways.length]!(path, texts[save % texts.length]!);
    Atomics.store(shared, 1, save);
    if (performance.now() - started > HALTED_MS) halted.add(save);
    pause([1, 2, 20, 60][save % 4]);
  }
  thread.postMessage(halted);
};
