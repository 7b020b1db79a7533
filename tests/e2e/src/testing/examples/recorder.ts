// Asks operations of a running platform by their names, and keeps the first success of each.
import { authOperations, operations } from '@parlance/contracts';

/** The parts of a request; a query as it is written in an address. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Exchange extends Parts {
  readonly status: number;
  /** JSON, or the text of an answer that is none. */
  readonly answer: unknown;
}

export type Data = Readonly<Record<string, unknown>>;
/** Headers that name the organization and the person or key behind a request. */
export type Caller = Readonly<Record<string, string>>;

interface Row {
  readonly method: string;
  readonly path: string;
}

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...operations.map(({ id, method, path }): [string, Row] => [id, { method, path }]),
  ...authOperations.map(({ id, method, path }): [string, Row] => [id, { method, path: `/auth${path}` }]),
]);

/** A stream is read up to here; one that never ends is left then. */
const longestStream = 1_500;

const textOf = async (response: Response): Promise<string> => {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longestStream) break;
  }
  return text;
};

const parsed = (text: string, response: Response): unknown =>
  response.headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(text) : text;

export class Recorder {
  readonly exchanges = new Map<string, Exchange>();
  readonly #api: string;

  constructor(api: string) {
    this.#api = api;
  }

  /**
   * The data of a successful answer; a list has its records by their places. Parameters that the path has not are left out.
   * @throws Error for any other answer
   */
  async ask(id: string, caller: Caller, parts: Parts = {}): Promise<Data> {
    return (await this.asked(id, caller, parts)).data;
  }

  /** @returns the cookie too, where the answer sets one */
  async asked(
    id: string,
    caller: Caller,
    parts: Parts = {},
  ): Promise<{ readonly data: Data; readonly cookie: string }> {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`there is no operation ${id}`);
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, parts.params?.[name] ?? '']));
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const query = new URLSearchParams(parts.query);
    const response = await fetch(`${this.#api}${path}${query.size > 0 ? `?${query}` : ''}`, {
      method: row.method,
      headers: { ...caller, ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    });
    const text = await textOf(response);
    if (!response.ok) throw new Error(`${id} answers ${response.status} ${text}`);
    const answer = parsed(text, response);
    const taken = names.length === 0 ? parts : { ...parts, params };
    if (!this.exchanges.has(id)) this.exchanges.set(id, { ...taken, status: response.status, answer });
    const { data } = Object(answer);
    const lines = response.headers.getSetCookie();
    return {
      data: Object(data ?? answer),
      cookie: lines.map((line) => line.split(';')[0]).join('; '),
    };
  }
}
