// The states of a connection and its tools. Everything here is pure.
import type { Tone } from '../../components/status.js';
import type { RecordOf } from '../../data/types.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';

export type Connection = RecordOf<'mcp.connections'>;
export type Tool = Connection['tools'][number];
export type CatalogEntry = RecordOf<'mcp.catalog'>;
type AuthType = Connection['auth']['type'];

interface Sign {
  readonly tone: Tone;
  readonly text: string;
}

const statusTones: Readonly<Record<Connection['status'], Tone>> = {
  connecting: 'accent',
  connected: 'good',
  error: 'bad',
  auth_required: 'attention',
};

/** A connection that works, and whose tools a person should look at, says that. */
export const signOf = ({ status, health }: Pick<Connection, 'status' | 'health'>): Sign =>
  status === 'connected' && health.state === 'drifted'
    ? { tone: 'attention', text: strings.drifted }
    : { tone: statusTones[status], text: strings.states[status] };

type ToolState = Pick<Tool, 'enabled' | 'offered' | 'changedSinceApproval' | 'approvedHash'>;

export const toolSign = ({ enabled, offered, changedSinceApproval, approvedHash }: ToolState): Sign => {
  if (!enabled) return { tone: 'neutral', text: strings.switchedOff };
  if (changedSinceApproval) return { tone: 'attention', text: strings.changedTool };
  if (offered) return { tone: 'good', text: strings.offered };
  return approvedHash === null
    ? { tone: 'attention', text: strings.waits }
    : { tone: 'neutral', text: strings.notOffered };
};

export const awaitsPerson = ({ hash, approvedHash }: Pick<Tool, 'hash' | 'approvedHash'>): boolean =>
  hash !== approvedHash;

/** A definition as people compare it: one member on each line, in one order. */
export const definitionText = (definition: NonNullable<Tool['approvedDefinition']>): string => {
  const { title, description, inputSchema } = definition;
  const ordered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ordered);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, inner]) => [name, ordered(inner)]),
    );
  };
  return JSON.stringify({ title, description, arguments: ordered(inputSchema) }, null, 2);
};

export interface ConnectValues {
  readonly name: string;
  readonly url: string;
  readonly transport: Connection['transport'];
  readonly authType: AuthType;
  readonly headerName: string;
  readonly secretId: string | null;
  readonly approvalPolicy: Connection['approvalPolicy'];
  readonly timeoutMs: number;
}

/** The credentials that the values name, as they travel. */
export const authOf = (values: Pick<ConnectValues, 'authType' | 'headerName' | 'secretId'>) => {
  const { authType: type, headerName, secretId } = values;
  if (type === 'bearer') return { type, secretId };
  return type === 'header' ? { type, headerName, secretId } : { type };
};

/** @param entry of the catalog; undefined for a server of the organization's own */
export const connectBody = (values: ConnectValues, entry: CatalogEntry | undefined) => {
  const { name, url, transport, approvalPolicy, timeoutMs } = values;
  const settings = { auth: authOf(values), approvalPolicy, timeoutMs };
  return entry === undefined
    ? { name, url, transport, ...settings }
    : { catalogSlug: entry.slug, ...settings };
};
