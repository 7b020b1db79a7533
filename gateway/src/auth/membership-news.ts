// Tells people who look at an organization that its members or invitations changed.
import { type AuthOperation, events } from '@parlance/contracts';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { announce, type Database } from '@parlance/postgres';
import { z } from 'zod';

const Entry = z.object({ id: z.string(), organizationId: z.string() });
const Member = Entry.extend({ userId: z.string() });
const ofMember = ({ id, organizationId }: z.infer<typeof Entry>) => ({ organizationId, memberId: id });
const ofInvitation = ({ organizationId }: z.infer<typeof Entry>) => ({ organizationId, memberId: null });

/** The forms of better-auth's answers: a member, an invitation, or an object with one of them or both. */
const Answer = z.union([
  z.object({ member: Member }).transform(({ member }) => ofMember(member)),
  z.object({ invitation: Entry }).transform(({ invitation }) => ofInvitation(invitation)),
  Member.transform(ofMember),
  Entry.transform(ofInvitation),
]);

export interface MembershipNewsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export class MembershipNews {
  readonly #options: MembershipNewsOptions;

  constructor(options: MembershipNewsOptions) {
    this.#options = options;
  }

  /** Never throws: the change is made already, and people see it at their next look. */
  async tell({ id, tells: change }: AuthOperation, answer: globalThis.Response): Promise<void> {
    if (change === undefined) return;
    try {
      const { organizationId, memberId } = Answer.parse(await answer.clone().json());
      const { db, ...parts } = this.#options;
      await db.transaction((tx) =>
        announce(tx, parts, events.membershipChanged, organizationId, { change, memberId }),
      );
    } catch (err) {
      this.#options.logger.warn({ err, operation: id }, 'a change of members was not told');
    }
  }
}
