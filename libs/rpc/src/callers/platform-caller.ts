import type { Caller } from '@parlance/contracts';

/** A service that asks another one for itself, on behalf of an organization (empty: of none). */
export const platformCaller = (service: string, organizationId: string): Caller => ({
  organizationId,
  actor: { type: 'platform', id: service },
  role: 'platform',
  permissions: [],
});
