// The queries about organizations that the gateway itself sends to better-auth's tables.
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';

export interface ShownOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly secondFactorRequired: boolean;
}

interface OrganizationRow extends Omit<ShownOrganization, 'createdAt'> {
  readonly createdAt: Date;
}

/** An invitation as the invited person sees it. */
export interface ReceivedInvitation {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly inviterId: string;
  readonly expiresAt: string;
}

interface InvitationRow extends Omit<ReceivedInvitation, 'expiresAt'> {
  readonly expiresAt: Date;
}

export class Organizations {
  readonly #db: Tx;

  constructor(db: Tx) {
    this.#db = db;
  }

  /** @throws AppError NOT_FOUND */
  async requireSecondFactor(organizationId: string, required: boolean): Promise<ShownOrganization> {
    const { rows } = await this.#db.query<OrganizationRow>(
      `update organization set "secondFactorRequired" = $2 where id = $1
       returning id, name, slug, "createdAt", "secondFactorRequired"`,
      [organizationId, required],
    );
    const [row] = rows;
    if (row === undefined) throw new AppError('NOT_FOUND');
    return { ...row, createdAt: row.createdAt.toISOString() };
  }

  /** Invitations that wait for an address, in lower case. */
  async invitationsTo(email: string): Promise<readonly ReceivedInvitation[]> {
    const { rows } = await this.#db.query<InvitationRow>(
      `select i.id, i."organizationId", o.name as "organizationName", i.email, i.role, i.status, i."inviterId",
              i."expiresAt"
         from invitation i join organization o on o.id = i."organizationId"
        where lower(i.email) = $1 and i.status = 'pending' and i."expiresAt" > now()
        order by i."expiresAt" desc
        limit 100`,
      [email],
    );
    return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() }));
  }
}
