// Which answers a live event makes stale, by the kind of the thing that has changed, and by its id.
import type { LiveEvent } from '@parlance/client';

type Kind = LiveEvent['resource']['kind'];

/** Beginnings of the names of operations. */
const touchedBy: Readonly<Record<Kind, readonly string[]>> = {
  call: ['calls.', 'dashboard.', 'spend.get'],
  outboundCall: ['outboundCalls.', 'spend.get'],
  campaign: ['outboundCalls.', 'spend.get'],
  agent: ['agents.'],
  number: ['numbers.', 'agents.'],
  knowledgeSource: ['knowledge.'],
  tool: ['tools.'],
  secret: ['secrets.'],
  mcpConnection: ['mcp.'],
  widget: ['widgets.'],
  settings: ['settings.', 'spend.'],
  member: ['auth.organizationListMembers'],
  invitation: ['auth.organizationListInvitations'],
  suppression: ['suppressions.'],
  // Of a call, only its timeline has the messages about it.
  webhookDelivery: ['webhooks.', 'calls.timeline'],
};

/** The name by which a request says which thing of the kind it asks for. */
const nameOf: Readonly<Partial<Record<Kind, string>>> = {
  call: 'callId',
  outboundCall: 'outboundId',
  campaign: 'campaignId',
  agent: 'agentId',
  number: 'phId',
  knowledgeSource: 'kbId',
  tool: 'toolId',
  secret: 'secretId',
  mcpConnection: 'mcpConnectionId',
  widget: 'widgetId',
  suppression: 'suppressionId',
  webhookDelivery: 'deliveryId',
};

/** Answers that have become stale. */
export interface Touch {
  /** Of the name of the operation. */
  readonly beginning: string;
  /** The thing that has changed: answers about another one of its kind stay. */
  readonly about?: { readonly name: string; readonly id: string };
}

/** Everything that live events speak of: stale after events that were missed. */
export const everything: readonly Touch[] = [...new Set(Object.values(touchedBy).flat())].map(
  (beginning) => ({ beginning }),
);

/** A transcript that grew changes no list; the screen of the call follows it by itself. */
const beginningsOf = ({ type, resource }: Pick<LiveEvent, 'type' | 'resource'>): readonly string[] =>
  type === 'call.transcript' ? ['calls.transcripts', 'calls.timeline'] : (touchedBy[resource.kind] ?? []);

export const touchedOf = (event: Pick<LiveEvent, 'type' | 'resource'>): readonly Touch[] => {
  const { kind, id } = event.resource;
  const name = nameOf[kind];
  const about = name === undefined || id === null ? {} : { about: { name, id } };
  return beginningsOf(event).map((beginning) => ({ beginning, ...about }));
};

/** The same for every touch of the same answers. */
export const keyOf = ({ beginning, about }: Touch): string => `${beginning} ${about?.id ?? ''}`;

/** The thing that a request names, in its path or among its filters. */
const namedIn = (parts: unknown, name: string): unknown => {
  if (typeof parts !== 'object' || parts === null) return undefined;
  const { params, query } = parts as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>; // parts of a request
  return params?.[name] ?? query?.[name];
};

/** @param queryKey of an answer: the operation, and the parts of its request */
export const isTouched = ({ beginning, about }: Touch, [id, parts]: readonly unknown[]): boolean => {
  if (typeof id !== 'string' || !id.startsWith(beginning)) return false;
  const named = about === undefined ? undefined : namedIn(parts, about.name);
  return named === undefined || named === about?.id;
};
