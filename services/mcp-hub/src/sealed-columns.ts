// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import {
  personalKeys,
  type SealedColumn,
  type SealedRow,
  sealedDocument,
  sealedText,
} from '@parlance/crypto';
import { sealedHeaderBindings } from '@parlance/webhooks';
import { headerOwner, type StoredHeaders } from './connections/header-values.js';
import { clientBinding } from './oauth/clients.js';
import { loginBinding } from './oauth/logins.js';
import { tokensBinding } from './oauth/tokens.js';

const placeOf = ({ organization, connection }: SealedRow) => ({
  organizationId: String(organization),
  connectionId: String(connection),
});
const place = { organization: 'organization_id', connection: 'connection_id' };

const sealedColumns: readonly SealedColumn[] = [
  personalKeys,
  sealedDocument(
    {
      table: 'mcp_connections',
      column: 'headers',
      key: ['id'],
      facts: { organization: 'organization_id', connection: 'id', url: 'url' },
    },
    (value, row) => {
      const owner = headerOwner({ ...placeOf(row), url: String(row.url) });
      // Written by this service, and by nothing else.
      return new Map(sealedHeaderBindings(owner, JSON.parse(value) as StoredHeaders));
    },
  ),
  sealedText(
    {
      table: 'mcp_oauth_clients',
      column: 'sealed',
      key: ['connection_id', 'issuer', 'redirect_url'],
      facts: place,
    },
    (row) => clientBinding(placeOf(row), String(row.issuer)),
  ),
  sealedText({ table: 'mcp_oauth_logins', column: 'sealed', key: ['state_hash'], facts: place }, (row) =>
    loginBinding(placeOf(row), String(row.state_hash)),
  ),
  sealedText(
    {
      table: 'mcp_oauth_tokens',
      column: 'sealed',
      key: ['id'],
      facts: { ...place, source_issuer: "source->>'issuer'" },
    },
    (row) => tokensBinding(placeOf(row), String(row.source_issuer)),
  ),
];

export const sealing = { service: 'mcp-hub', sealedColumns } as const;
