// What the page uses of htm/preact/standalone: the package's own types lack the hooks.

/** Something to be shown. */
export interface View {
  readonly type: unknown;
}

/** What stands between two tags. */
export type Content =
  | View
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Content[];

/** Makes a view of markup. */
export function html(markup: TemplateStringsArray, ...values: unknown[]): View;

/** Shows a view in an element of the document. */
export function render(view: View, parent: object): void;

export function useState<T>(
  initial: T | (() => T),
): [T, (next: T | ((now: T) => T)) => void];
export function useEffect(
  effect: () => void | (() => void),
  changes?: readonly unknown[],
): void;
export function useLayoutEffect(
  effect: () => void | (() => void),
  changes?: readonly unknown[],
): void;
export function useMemo<T>(make: () => T, changes: readonly unknown[]): T;
export function useRef<T>(initial: T): { current: T };

/** What a view below threw, and a function that shows it anew. */
export function useErrorBoundary(): [Error | undefined, () => void];
