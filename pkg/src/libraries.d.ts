// The parts of React that `react.ts` uses. React itself has no types.

declare module "react" {
  export function useState<Value>(create: () => Value): [Value, (next: Value) => void];
  export function useSyncExternalStore<Snapshot>(
    subscribe: (onChange: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot: () => Snapshot,
  ): Snapshot;
}
