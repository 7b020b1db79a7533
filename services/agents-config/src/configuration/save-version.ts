// The one way to save a version, either written by a person or restored from an earlier one.
import {
  type AgentConfiguration,
  type Caller,
  events,
  type RequestOf,
  serviceRequests,
} from '@parlance/contracts';
import { announce, type Tx } from '@parlance/postgres';
import type { AgentRow } from '../agents/agent-record.js';
import { setConfigVersion } from '../agents/agents-repository.js';
import type { Parts } from '../parts.js';
import { type Configuration, toDocument } from './configuration-document.js';
import { checkConfiguration } from './configuration-rules.js';
import { insertConfiguration } from './configurations-repository.js';
import { mentionsOf, usesOf } from './secret-references.js';
import { type StoredDocument, toStored } from './stored-webhooks.js';

export interface Save {
  readonly caller: Caller;
  readonly requestId: string;
  readonly commandId: string | undefined;
  /** The version in force, or the one that is restored: "•••" keeps its header values. */
  readonly hidden: StoredDocument | undefined;
  /** The version that is restored. */
  readonly restoredFrom?: number;
}

/** The actor of a request, as versions name it. */
export const actorOf = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;

type Refer = RequestOf<typeof serviceRequests.secretsRefer>['body'];

/**
 * Has the mentions noted before the version is written, and while the agent is locked. So a secret cannot be deleted
 * between the two. A save that fails after this leaves mentions behind, which are looked at again.
 * @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED
 */
const refer = async (
  { rpc, callerFor }: Parts,
  { organization_id: organizationId, id, name }: AgentRow,
  mentions: Omit<Refer, 'user'>,
  requestId: string,
): Promise<void> => {
  if (mentions.ids.length + mentions.names.length === 0) return;
  const user = { id, type: 'agent', name } as const;
  const caller = callerFor(organizationId);
  await rpc.call(serviceRequests.secretsRefer, { body: { user, ...mentions } }, { caller, requestId });
};

/**
 * Saves the configuration as the next version of an agent that this transaction has locked.
 * @throws AppError VALIDATION_ERROR, SECRET_REFERENCE_NOT_ALLOWED, URL_NOT_ALLOWED, SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED
 *   or HEADER_VALUE_NEEDED
 */
export const saveVersion = async (
  parts: Parts,
  tx: Tx,
  agent: AgentRow,
  configuration: Configuration,
  { caller, requestId, commandId, hidden, restoredFrom }: Save,
): Promise<AgentConfiguration> => {
  const { organization_id: organizationId, id: agentId, name } = agent;
  const { catalogs, keyring, urls, clock } = parts;
  const catalog = await catalogs.held(tx, organizationId);
  checkConfiguration(configuration, { catalog, urls, before: hidden });
  const document = toStored(toDocument(configuration), hidden, { keyring, organizationId, agentId });
  const mayAllow = caller.permissions.includes('secrets:use');
  await refer(parts, agent, { ...mentionsOf(document), uses: usesOf(document), mayAllow }, requestId);
  const now = clock.now();
  const version = (agent.config_version ?? 0) + 1;
  const savedBy = actorOf(caller);
  const written = { agentId, version, document, commandId, savedBy, restoredFrom, now };
  const saved = await insertConfiguration(tx, organizationId, written);
  await setConfigVersion(tx, organizationId, agentId, version, now);
  await announce(tx, parts, events.agentConfigured, organizationId, {
    agentId,
    name,
    configVersion: version,
  });
  return saved;
};
