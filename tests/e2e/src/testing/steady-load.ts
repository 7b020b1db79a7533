// People at work: requests that keep coming, each answer held to the contract and written down.
import { Envelope, ErrorBody, type Operation } from '@parlance/contracts';
import { Agent, type buildConnector, type Dispatcher, request } from 'undici';
import type { RunningPlatform } from './running-platform.js';

/** One kind of request that is sent over and over. */
export interface Errand {
  readonly row: Operation;
  /** From the end of one to the start of the next. */
  readonly everyMs: number;
  readonly request: () => {
    readonly path: string;
    readonly body?: unknown;
    readonly headers: Record<string, string>;
  };
  /** Told the data of every success. */
  readonly done?: (data: unknown) => void;
}

export interface Sample {
  readonly errand: string;
  /** `performance.now()` when it was sent. */
  readonly sentAt: number;
  readonly ms: number;
  /** Undefined: no answer at all. */
  readonly status: number | undefined;
  /** Of an error answer. */
  readonly code?: string;
  readonly retryAfter?: number;
  /** The answer's breach of the contract, or the fate of the connection. */
  readonly broken?: string;
}

/** Far beyond any promise: an answer that takes longer hangs. */
const hangMs = 60_000;

/**
 * Connections for `attempt`. People share a machine with the platform, and `fetch` takes several times as much of it as this does.
 * @param connect opens a connection; unless given, to the address itself
 */
export const connectionsOf = (connect?: buildConnector.connector): Agent =>
  new Agent({ headersTimeout: hangMs, bodyTimeout: hangMs, ...(connect === undefined ? {} : { connect }) });

const dispatcher = connectionsOf();

const describeIssues = (issues: readonly { readonly path: readonly PropertyKey[] }[]): string =>
  issues.map(({ path }) => path.join('.')).join(', ');

type Response = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

const judge = (
  row: Operation,
  { statusCode, headers }: Response,
  text: string,
  body: unknown,
): Partial<Sample> => {
  if (statusCode >= 400) {
    const parsed = ErrorBody.safeParse(body);
    const wait = headers['retry-after'];
    return {
      ...(parsed.success
        ? { code: parsed.data.error.code }
        : { broken: `no error body: ${text.slice(0, 200)}` }),
      ...(wait === undefined ? {} : { retryAfter: Number(wait) }),
    };
  }
  const envelope = Envelope.safeParse(body);
  if (!envelope.success || statusCode !== row.success) return { broken: text.slice(0, 200) };
  const data = row.data.safeParse(envelope.data.data);
  return data.success ? {} : { broken: `data does not fit at ${describeIssues(data.error.issues)}` };
};

/**
 * Sends one request and writes down its outcome.
 * @param platform where it is, and the connections to it unless they are the usual ones
 */
export const attempt = async (
  platform: Pick<RunningPlatform, 'api'> & { readonly dispatcher?: Dispatcher },
  errand: Pick<Errand, 'row' | 'request' | 'done'>,
): Promise<Sample> => {
  const { row } = errand;
  const { path, body, headers } = errand.request();
  const sentAt = performance.now();
  const facts = { errand: row.id, sentAt };
  try {
    const response = await request(`${platform.api}${path}`, {
      method: row.method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      dispatcher: platform.dispatcher ?? dispatcher,
    });
    const text = await response.body.text();
    const ms = performance.now() - sentAt;
    const told: unknown = JSON.parse(text);
    const verdict = judge(row, response, text, told);
    if (response.statusCode < 400) errand.done?.((told as { data: unknown }).data); // judged just now
    return { ...facts, ms, status: response.statusCode, ...verdict };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { ...facts, ms: performance.now() - sentAt, status: undefined, broken: String(cause) };
  }
};

export class SteadyLoad {
  readonly #platform: RunningPlatform;
  readonly #errands: readonly Errand[];
  readonly #running: Promise<void>[] = [];
  #samples: Sample[] = [];
  #stopped = false;

  constructor(platform: RunningPlatform, errands: readonly Errand[]) {
    this.#platform = platform;
    this.#errands = errands;
  }

  /** Every errand by one person; the same errand twice is two people. */
  start(): void {
    for (const errand of this.#errands) this.#running.push(this.#repeat(errand));
  }

  /** Answers so far, oldest first. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  forget(): void {
    this.#samples = [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  async #repeat(errand: Errand): Promise<void> {
    while (!this.#stopped) {
      this.#samples.push(await attempt(this.#platform, errand));
      await new Promise((resolve) => setTimeout(resolve, errand.everyMs));
    }
  }
}
