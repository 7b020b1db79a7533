// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import { personalKeys, type SealedColumn, sealedDocument, sealedText } from '@parlance/crypto';
import { sealedHeaderBindings, webhookOwner } from '@parlance/webhooks';
import type { StoredDocument } from './configuration/stored-webhooks.js';
import { variablesBinding } from './initiation/answered-variables.js';

const sealedColumns: readonly SealedColumn[] = [
  personalKeys,
  sealedDocument(
    {
      table: 'agent_configurations',
      column: 'document',
      key: ['agent_id', 'version'],
      facts: { organization: 'organization_id' },
    },
    (value, { agent_id, organization }) => {
      // Written by this service, and by nothing else.
      const { initiation_webhook, post_call_webhook } = JSON.parse(value) as Partial<StoredDocument>;
      const place = { organizationId: String(organization), agentId: String(agent_id) };
      return new Map(
        [initiation_webhook, post_call_webhook].flatMap((webhook) =>
          webhook
            ? sealedHeaderBindings(webhookOwner({ ...place, url: webhook.url }), webhook.headers ?? {})
            : [],
        ),
      );
    },
  ),
  sealedText(
    { table: 'call_initiations', column: 'variables', key: ['organization_id', 'call_id'] },
    ({ organization_id, call_id }) =>
      variablesBinding({ organizationId: String(organization_id), callId: String(call_id) }),
  ),
];

export const sealing = { service: 'agents-config', sealedColumns } as const;
