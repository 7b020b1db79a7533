// The mixture of requests: mostly reads of every service, a tenth writes under an Idempotency-Key, some of them sent twice.
import { randomUUID } from 'node:crypto';
import { contract, type Operation } from '@parlance/contracts';
import type { Errand } from '@parlance/tests-e2e';
import { page, type Tenants } from './tenant.js';

export type Request = Pick<Errand, 'row' | 'request' | 'done'>;

/** Agents that were acknowledged, by the name that they were given; a name has one id, however often it was sent. */
export class Acknowledged {
  readonly #ids = new Map<string, Set<string>>();

  note(name: string, id: string): void {
    this.#ids.set(name, (this.#ids.get(name) ?? new Set()).add(id));
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#ids.keys());
  }

  /** Names whose repeated request was answered with another agent. */
  get differing(): readonly string[] {
    return [...this.#ids].flatMap(([name, ids]) => (ids.size > 1 ? [name] : []));
  }
}

/** The number of these requests in a hundred. */
interface Share {
  readonly share: number;
  readonly next: () => Request;
}

const reading = (
  row: Operation,
  share: number,
  headers: Readonly<Record<string, string>>,
  path: string = row.path,
): Share => {
  const request: Request = { row, request: () => ({ path, headers: { ...headers } }) };
  return { share, next: () => request };
};

const reads = ({ reader }: Tenants): readonly Share[] => {
  const { headers, agentId, widgetId } = reader;
  const read = (row: Operation, share: number, ids: Readonly<Record<string, string>> = {}): Share =>
    reading(
      row,
      share,
      headers,
      row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ''),
    );
  return [
    read(contract.agentsList, 10),
    read(contract.agentsGetConfig, 10, { agentId }),
    read(contract.callsList, 8),
    read(contract.callsLive, 8),
    read(contract.outboundCallsList, 8),
    read(contract.outboundCallsListBatches, 4),
    read(contract.dashboardSummary, 4),
    read(contract.spendGet, 4),
    read(contract.settingsGet, 4),
    read(contract.numbersList, 6),
    read(contract.knowledgeList, 6),
    read(contract.toolsList, 6),
    read(contract.mcpConnections, 4),
    read(contract.widgetsGet, 4, { widgetId }),
    reading(
      contract.widgetsPublicConfig,
      4,
      { origin: page },
      contract.widgetsPublicConfig.path.replace('{widgetId}', widgetId),
    ),
  ];
};

const creation = (
  { writer }: Tenants,
  { name, idempotencyKey }: { readonly name: string; readonly idempotencyKey: string },
  done: (id: string) => void,
): Request => ({
  row: contract.agentsCreate,
  request: () => ({
    path: contract.agentsCreate.path,
    headers: { ...writer.headers, 'idempotency-key': idempotencyKey },
    body: { name, isActive: false, templateId: 'blank' },
  }),
  done: (data) => done(String(Object(data).id)),
});

/** Every fourth request creates the last acknowledged agent again, under the same key. */
const creations = (tenants: Tenants, acknowledged: Acknowledged): Share => {
  let count = 0;
  let last: Request | undefined;
  const created = (): Request => {
    const name = `agent ${count}`;
    const request = creation(tenants, { name, idempotencyKey: randomUUID() }, (id) => {
      acknowledged.note(name, id);
      last = request;
    });
    return request;
  };
  return {
    share: 6,
    next: () => {
      count += 1;
      return count % 4 === 0 && last !== undefined ? last : created();
    },
  };
};

const updates = ({ reader }: Tenants): Share => {
  const { headers, agentId } = reader;
  return {
    share: 4,
    next: () => ({
      row: contract.agentsUpdate,
      request: () => ({
        path: contract.agentsUpdate.path.replace('{agentId}', agentId),
        headers: { ...headers },
        body: { name: `Front desk ${randomUUID().slice(0, 8)}` },
      }),
    }),
  };
};

/**
 * The requests in their order, without end. Each kind is spread evenly, so that a short run has every one of them.
 * @param acknowledged told each agent that was created
 */
export function* mixture(tenants: Tenants, acknowledged: Acknowledged): Generator<Request, never> {
  const shares = [...reads(tenants), creations(tenants, acknowledged), updates(tenants)];
  const all = shares.reduce((sum, { share }) => sum + share, 0);
  const due = shares.map(() => 0);
  for (;;) {
    for (const [index, { share }] of shares.entries()) due[index] = (due[index] ?? 0) + share;
    const most = due.indexOf(Math.max(...due));
    due[most] = (due[most] ?? 0) - all;
    const chosen = shares[most];
    if (chosen !== undefined) yield chosen.next();
  }
}
