// The short form of `npm run rolling`: every process of the platform is replaced once, under a little of every load.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { workloads } from '@parlance/kubernetes';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const short = [
  ...['--rate', '20', '--calls', '4', '--copies', '1', '--visitors', '2', '--mcp', '1', '--quiet', '2'],
  ...['--at-once', '3', '--time-scale', '4', '--json'],
  // A machine that runs other tests beside it is slow: tests of outages say how soon an answer comes.
  ...['--set', 'RPC_TIMEOUT_MS=20000'],
];

describe('a rolling restart of every process', () => {
  it('fails no request, breaks no stream, drops no call and lets no telephone ring twice', async () => {
    // With a status that is not zero it prints its figures too.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...short]).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => error,
    );
    const figures = Object(JSON.parse(stdout || JSON.stringify({ faults: [stderr] })));
    expect(figures.faults).toEqual([]);
    expect(figures.replacements.map(({ process: name }: { process: string }) => name).sort()).toEqual(
      workloads.map(({ name }) => name).sort(),
    );
  }, 300_000);
});
