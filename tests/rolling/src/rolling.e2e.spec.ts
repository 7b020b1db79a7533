// A small rolling restart, with programs as the image runs them: each process is replaced once. `npm run rolling` is the large one.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { workloads } from '@parlance/kubernetes';

/** Compiled, because the processes that it starts know nothing of TypeScript. */
const command = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const small = {
  ...{ rate: 10, calls: 4, copies: 1, visitors: 1, mcp: 1, 'warm-up': 2, quiet: 1 },
  ...{ 'time-scale': 5, settle: 1, 'at-once': 3 },
  // The machine runs other tests beside it.
  set: 'RPC_TIMEOUT_MS=20000',
};

it('a rolling restart fails no request, breaks no stream, drops no call and loses no write', async () => {
  const args = Object.entries(small).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [command, ...args, '--json'], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout || stderr }),
    );
  });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('"held": true') });
  const { replacements } = JSON.parse(output) as { replacements: readonly { process: string }[] };
  expect(replacements.map(({ process }) => process).sort()).toEqual(workloads.map(({ name }) => name).sort());
}, 300_000);
