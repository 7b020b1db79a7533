// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import { personalKeys, type SealedColumn } from '@parlance/crypto';

const sealedColumns: readonly SealedColumn[] = [personalKeys];

export const sealing = { service: 'outbound-dialer', sealedColumns } as const;
