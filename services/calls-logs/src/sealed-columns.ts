// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import { personalKeys, type SealedColumn, sealedDocument, sealedText } from '@parlance/crypto';
import { sealedHeaderBindings, webhookOwner } from '@parlance/webhooks';
import { contextBinding } from './rooms/browser-calls.js';
import { type DeliveryTarget, targetBinding } from './webhooks/delivery.js';

const headersOf = sealedDocument(
  { table: 'webhook_deliveries', column: 'target', key: ['id'] },
  (value, { organization }) => {
    // Sealed by this service, and by nothing else.
    const { webhook } = JSON.parse(value) as DeliveryTarget;
    const { agentId, headers, url } = webhook;
    if (agentId === undefined) return new Map();
    const owner = webhookOwner({ organizationId: String(organization), agentId, url });
    return new Map(sealedHeaderBindings(owner, headers));
  },
);

/** A target holds header values that agents-config has sealed, inside of its own envelope. */
const targets: SealedColumn = {
  table: 'webhook_deliveries',
  column: 'target',
  type: 'text',
  key: ['id'],
  facts: { organization: 'organization_id' },
  visit: (value, row, change, keyring) => {
    const binding = targetBinding(String(row.id));
    const outer = change(value, binding);
    if (!keyring.opens(outer, binding)) return outer;
    const before = keyring.open(outer, binding).toString('utf8');
    const after = headersOf.visit(before, row, change, keyring);
    return after === before ? outer : keyring.seal(Buffer.from(after), binding);
  },
};

const contexts = sealedText({ table: 'browser_calls', key: ['call_id'], column: 'context' }, ({ call_id }) =>
  contextBinding(String(call_id)),
);

const sealedColumns: readonly SealedColumn[] = [personalKeys, targets, contexts];

export const sealing = { service: 'calls-logs', sealedColumns } as const;
