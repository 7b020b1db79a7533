import { type Caller, rolePermissions } from '@parlance/contracts';

export const ownerOf = (organizationId: string): Caller => ({
  organizationId,
  actor: { type: 'user', id: 'u1' },
  role: 'owner',
  permissions: [...rolePermissions.owner],
});
