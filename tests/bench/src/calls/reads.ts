// Pages of the call log and the dashboard, over many calls: first page beside page 1,000, and every range.
import { Client, percentile } from './requests.js';

export interface ReadFigures {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** The median beside that of the first page. */
  readonly ratio?: number;
}

export const pageNumber = 1_000;
export const pageSize = 20;
/** Rows of a list on the way to the page; the largest size there is. */
const stepSize = 100;

interface ListBody {
  readonly data: readonly unknown[];
  readonly nextCursor?: string;
}

/** One request after the other, after some that warm up. */
export const timeRequests = async (
  client: Client,
  name: string,
  path: string,
  headers: Record<string, string>,
  times: number,
): Promise<ReadFigures> => {
  const took: number[] = [];
  let failures = 0;
  for (let round = -20; round < times; round += 1) {
    const { status, ms } = await client.send(path, { headers });
    if (status !== 200) failures += 1;
    if (round >= 0) took.push(ms);
  }
  return { name, p50: percentile(took, 0.5), p99: percentile(took, 0.99), failures };
};

/** Follows the list to where page 1,000 begins; undefined where it ends before. */
const cursorOfPage = async (
  client: Client,
  query: string,
  headers: Record<string, string>,
): Promise<string | undefined> => {
  let cursor = '';
  for (let read = 0; read < (pageNumber - 1) * pageSize; ) {
    const limit = Math.min(stepSize, (pageNumber - 1) * pageSize - read);
    const answer = await client.send(`/calls?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`, {
      headers,
    });
    const { data, nextCursor }: ListBody = JSON.parse(answer.body);
    if (data.length !== limit || nextCursor === undefined) return undefined;
    cursor = nextCursor;
    read += limit;
  }
  return cursor;
};

export interface Filter {
  readonly name: string;
  readonly query: string;
  /** The same in SQL over call_index. */
  readonly condition: string;
}

/** The time of a request that asks for nothing: a measure of the machine's other work. */
export const measureNothing = async (api: string, times: number): Promise<ReadFigures> => {
  const client = new Client(api, 1);
  const row = await timeRequests(client, 'GET /health, to compare with', '/health', {}, times);
  client.close();
  return row;
};

export const measurePages = async (
  api: string,
  apiKey: string,
  filters: readonly Filter[],
  times: number,
): Promise<ReadFigures[]> => {
  const client = new Client(api, 1);
  const headers = { 'x-api-key': apiKey };
  const rows: ReadFigures[] = [await measureNothing(api, times)];
  for (const { name, query } of filters) {
    const cursor = await cursorOfPage(client, query, headers);
    const first = await timeRequests(
      client,
      `GET /calls, ${name}, page 1`,
      `/calls?${query}`,
      headers,
      times,
    );
    rows.push(first);
    if (cursor === undefined) continue;
    const path = `/calls?${query}&cursor=${cursor}`;
    const later = await timeRequests(client, `GET /calls, ${name}, page 1,000`, path, headers, times);
    rows.push({ ...later, ratio: later.p50 / first.p50 });
  }
  client.close();
  return rows;
};

const dayMs = 86_400_000;

const ranges = (): Readonly<Record<string, string>> => {
  const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  return {
    '24h': 'range=24h',
    '7d': 'range=7d',
    '30d': 'range=30d',
    '90 days': `range=custom&from=${day(89)}&to=${day(0)}`,
  };
};

export const measureDashboard = async (
  api: string,
  apiKey: string,
  label: string,
  times: number,
): Promise<ReadFigures[]> => {
  const client = new Client(api, 1);
  const rows: ReadFigures[] = [];
  for (const [name, query] of Object.entries(ranges())) {
    const what = `dashboard ${name}, ${label}`;
    rows.push(
      await timeRequests(client, what, `/dashboard/summary?${query}`, { 'x-api-key': apiKey }, times),
    );
  }
  client.close();
  return rows;
};
