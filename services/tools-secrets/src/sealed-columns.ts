// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import { personalKeys, type SealedColumn, sealedDocument, sealedText, secretBinding } from '@parlance/crypto';
import { sealedHeaderBindings } from '@parlance/webhooks';
import { headerOwner } from './tools/header-values.js';
import type { ToolDocument } from './tools/tool-record.js';

const organizationOfSecret = '(select organization_id from secrets where id = t.secret_id)';

const sealedColumns: readonly SealedColumn[] = [
  personalKeys,
  sealedText(
    {
      table: 'secret_versions',
      column: 'sealed',
      key: ['secret_id', 'version'],
      facts: { organization: organizationOfSecret },
    },
    ({ secret_id, version, organization }) =>
      secretBinding({
        organizationId: String(organization),
        secretId: String(secret_id),
        version: Number(version),
      }),
  ),
  sealedDocument(
    { table: 'tools', column: 'document', key: ['id'], facts: { organization: 'organization_id' } },
    (value, { id, organization }) => {
      // Written by this service, and by nothing else.
      const { request } = JSON.parse(value) as Pick<ToolDocument, 'request'>;
      const owner = headerOwner({ organizationId: String(organization), toolId: String(id) }, request.url);
      return new Map(sealedHeaderBindings(owner, request.headers));
    },
  ),
];

export const sealing = { service: 'tools-secrets', sealedColumns } as const;
