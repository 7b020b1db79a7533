// Whether a member or an invitation belongs to an organization, so that a foreign id is refused like an unknown one.
import type { Tx } from '@parlance/postgres';

const statements = {
  member: 'select 1 from member where "organizationId" = $1 and id = $2',
  invitation: 'select 1 from invitation where "organizationId" = $1 and id = $2',
} as const;

export class AuthMembers {
  readonly #db: Tx;

  constructor(db: Tx) {
    this.#db = db;
  }

  async has(organizationId: string, model: keyof typeof statements, id: string): Promise<boolean> {
    const { rows } = await this.#db.query(statements[model], [organizationId, id]);
    return rows.length > 0;
  }
}
