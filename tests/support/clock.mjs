// A clock that only moves when its test says so.

/**
 * Gives a test its own clock, until the test ends. Returns a function that lets time pass, and then performs what
 * follows from it.
 * @param {Pick<import("node:test").TestContext, "mock">} t
 */
export function ownClock({ mock }) {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  mock.method(performance, "now", () => Date.now());
  return async (ms = 0) => {
    mock.timers.tick(ms);
    for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
}
