// Health check of the images: exit code 0 while the process accepts work.
const address = `http://127.0.0.1:${process.env.METRICS_PORT}/health/ready?verbose`;
const response = await fetch(address, { signal: AbortSignal.timeout(4_000) });
console.log(await response.text());
process.exitCode = response.ok ? 0 : 1;
