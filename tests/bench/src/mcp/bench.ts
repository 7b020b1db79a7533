// npm run bench -- mcp: the same tool of the same MCP server, called directly by the official client and through the platform.
// Both are measured in turn, in one run, so that other work of the machine meets both alike.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startHostileServer } from '@parlance/fake-mcp/hostile';
import { percentile } from '../calls/requests.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { showTable, tell } from '../harness/report.js';

export interface McpBenchOptions {
  readonly rounds: number;
  /** The length of each measurement in a round. */
  readonly seconds: number;
}

type Call = () => Promise<void>;

const args = { text: 'good day' };
/** Executions at the same time. */
const loads = [1, 10] as const;

const check = (text: unknown): void => {
  if (text !== args.text) throw new Error(`the tool answers ${String(text)}`);
};

/** The client hands one signal to all its requests, and Node warns of every listener that a request leaves on it. */
const withoutSignal: typeof fetch = (url, init = {}) => {
  const { signal: _signal, ...rest } = init;
  return fetch(url, rest);
};

const directly = async (url: string): Promise<Call> => {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: withoutSignal }));
  return async () => {
    const { content } = await client.callTool({ name: 'echo', arguments: args });
    const [part] = content;
    check(part?.type === 'text' ? part.text : undefined);
  };
};

const throughPlatform = async ({ api, apiKey }: MeasuredPlatform, url: string): Promise<Call> => {
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data; // as the contract declares it
  };
  const { id, status } = await post<{ id: string; status: string }>('/mcp/connections', {
    name: 'Bench',
    url,
  });
  if (status !== 'connected') throw new Error(`the connection is ${status}`);
  const path = `/mcp/connections/${id}/tools/echo/execute`;
  return async () => {
    const { content } = await post<{ content: { text: string }[] }>(path, { arguments: args });
    check(content[0]?.text);
  };
};

const measure = async (call: Call, atOnce: number, seconds: number): Promise<number[]> => {
  const times: number[] = [];
  const end = AbortSignal.timeout(seconds * 1_000);
  const worker = async (): Promise<void> => {
    while (!end.aborted) {
      const started = performance.now();
      await call();
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return times;
};

const row = (atOnce: number, direct: readonly number[], through: readonly number[]): (string | number)[] => {
  const figures = [direct, through].map(
    (times) => [percentile(times, 0.5), percentile(times, 0.99)] as const,
  );
  const [[p50 = 0, p99 = 0] = [], [slower50 = 0, slower99 = 0] = []] = figures;
  const shown = [p50, p99, slower50, slower99].map((ms) => ms.toFixed(2));
  const ratios = [slower50 / p50, slower99 / p99].map((ratio) => ratio.toFixed(1));
  return [atOnce, direct.length, through.length, ...shown, ...ratios, (slower50 - p50).toFixed(2)];
};

/** Prints the times of an execution directly and through the platform, and their ratios. */
export const benchMcp = async ({ rounds, seconds }: McpBenchOptions): Promise<void> => {
  const server = await startHostileServer();
  const platform = await startMeasuredPlatform({ variables: { EGRESS_ALLOW_PRIVATE: server.host } });
  try {
    const url = server.url('honest');
    const [direct, through] = [await directly(url), await throughPlatform(platform, url)];
    const times = new Map(
      loads.map((atOnce) => [atOnce, { direct: [] as number[], through: [] as number[] }]),
    );
    for (const call of [direct, through]) await measure(call, 10, seconds);
    for (let round = 1; round <= rounds; round += 1) {
      for (const [atOnce, taken] of times) {
        taken.direct.push(...(await measure(direct, atOnce, seconds)));
        taken.through.push(...(await measure(through, atOnce, seconds)));
      }
      tell(`round ${round} of ${rounds}`);
    }
    showTable(
      [
        ...['at once', 'n direct', 'n through', 'p50 direct, ms', 'p99 direct', 'p50 through', 'p99 through'],
        ...['p50 ratio', 'p99 ratio', 'p50 more, ms'],
      ],
      [...times].map(([atOnce, taken]) => row(atOnce, taken.direct, taken.through)),
    );
  } finally {
    await platform.stop();
    await server.stop();
  }
};
