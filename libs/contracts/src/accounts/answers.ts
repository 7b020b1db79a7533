// The fields that leave through /auth/*. Other fields of better-auth stay inside, such as password hashes and invitations.
import { z } from 'zod';
import { roles } from '../operations/permissions.js';

const moment = z.iso.datetime();

export const User = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    twoFactorEnabled: z.boolean().nullish(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'AuthUser', description: 'A person with an account.' });

/** The session that asks; its token stays in the cookie. */
export const Session = z
  .object({
    id: z.string(),
    userId: z.string(),
    expiresAt: moment,
    createdAt: moment,
    updatedAt: moment,
    ipAddress: z.string().nullish(),
    userAgent: z.string().nullish(),
    activeOrganizationId: z.string().nullish(),
  })
  .meta({ id: 'AuthSession', description: 'A session of a signed-in person.' });

/** A session in a person's list of own sessions; the token names it for revoking and signs no person in. */
export const ListedSession = Session.extend({ token: z.string() }).meta({
  id: 'AuthListedSession',
  description: 'A session, with the token by which it can be revoked.',
});

export const Organization = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    createdAt: moment,
    secondFactorRequired: z.boolean().nullish(),
  })
  .meta({ id: 'AuthOrganization', description: 'An organization.' });

/** better-auth keeps roles as text; every row that sets one takes a role of the platform. */
const role = z.string().meta({ description: `one of ${roles.join(', ')}` });

export const Member = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    userId: z.string(),
    role,
    createdAt: moment,
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).optional(),
  })
  .meta({ id: 'AuthMember', description: 'A member of an organization.' });

export const Invitation = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    email: z.string(),
    role: role.nullish(),
    status: z.string(),
    inviterId: z.string(),
    expiresAt: moment,
    organizationName: z.string().optional(),
    organizationSlug: z.string().optional(),
    inviterEmail: z.string().optional(),
  })
  .meta({ id: 'AuthInvitation', description: 'An invitation to an organization.' });
