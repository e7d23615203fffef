// The parts of React that `react.ts` uses. React itself has no types.

declare module "react" {
  export function useMemo<Value>(create: () => Value, dependencies: readonly unknown[]): Value;
  export function useSyncExternalStore<Snapshot>(
    subscribe: (onChange: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot: () => Snapshot,
  ): Snapshot;
}
