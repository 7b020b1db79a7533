// The one way to save a version, either written by a person or restored from an earlier one.
import { type AgentConfiguration, type Caller, events } from '@parlance/contracts';
import { announce, type Tx } from '@parlance/postgres';
import type { NoteSecrets } from '@parlance/service-host';
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
  /** Notes the secrets of the version before it is written. */
  readonly note: NoteSecrets;
  readonly commandId: string | undefined;
  /** The version in force, or the one that is restored: "•••" keeps its header values. */
  readonly hidden: StoredDocument | undefined;
  /** The version that is restored. */
  readonly restoredFrom?: number;
}

/** The actor of a request, as versions name it. */
export const actorOf = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;

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
  { caller, note, commandId, hidden, restoredFrom }: Save,
): Promise<AgentConfiguration> => {
  const { organization_id: organizationId, id: agentId, name } = agent;
  const { catalogs, keyring, urls, clock } = parts;
  const catalog = await catalogs.held(tx, organizationId);
  checkConfiguration(configuration, { catalog, urls, before: hidden });
  const document = toStored(toDocument(configuration), hidden, { keyring, organizationId, agentId });
  const mayAllow = caller.permissions.includes('secrets:use');
  const user = { id: agentId, type: 'agent', name } as const;
  await note({ user, ...mentionsOf(document), uses: usesOf(document), mayAllow });
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
