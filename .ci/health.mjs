// Asks a starting service for its health. Ends with 0 if it is healthy, and 1 if it does not respond yet. If it
// responds with an error, prints the error's message and ends with 2.
//
//   node .ci/health.mjs URL

const [address] = process.argv.slice(2);
try {
  const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(2000) });
  if (!response.ok) {
    console.log((await response.json()).message);
    process.exitCode = 2;
  }
} catch {
  // Nothing listens yet, or the response is not from the service.
  process.exitCode = 1;
}
