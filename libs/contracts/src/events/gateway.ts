// The integration events that gateway publishes.
import { z } from 'zod';
import { uuid } from '../values/text.js';
import { defineEvent } from './event.js';

/** Changes of members and invitations; a row of `/auth` names its own. */
export const membershipChanges = [
  ...(['invited', 'invitation_cancelled', 'invitation_declined'] as const),
  ...(['joined', 'role_changed', 'removed', 'left'] as const),
] as const;
export type MembershipChange = (typeof membershipChanges)[number];

export const gatewayEvents = {
  /**
   * An organization was removed for good. It owned no numbers then, ran no campaign, and no call of it was in progress.
   * Every service begins nothing for it any more, ends its running work and deletes its rows. Calls stay as history.
   */
  organizationDeleted: defineEvent({
    name: 'gateway.organization.deleted',
    version: 1,
    data: z.object({
      /** Names the closures of the organization in the services that were asked first. */
      removalId: uuid,
      /** The owner's user id. */
      deletedBy: z.string(),
    }),
  }),
  /** The members or invitations of an organization changed. The id of an invitation lets people in, so it is not told. */
  membershipChanged: defineEvent({
    name: 'gateway.membership.changed',
    version: 1,
    data: z.object({
      change: z.enum(membershipChanges),
      /** Null for a change of an invitation that nobody has accepted. */
      memberId: z.string().nullable(),
    }),
  }),
} as const;
