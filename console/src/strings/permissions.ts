/** Reasons for which a control is not available. */
export const permissionStrings = {
  unknownYet: 'Your permissions are still loading.',
  unverified: 'Verify your e-mail address first: a mail with a link has come to you.',
  ownerOrAdmin: (role: string): string => `Only an owner or admin can do this. Your role here is ${role}.`,
  lacks: (role: string, permissions: readonly string[]): string =>
    `Your role (${role}) lacks the permission ${permissions.join(' or ')}. An owner or admin can change your role.`,
} as const;
