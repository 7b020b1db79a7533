// Mails wait here until a server has taken them. Every gateway works on the same table; a mail is claimed for as long
// as sending it may take. So it is sent once, and again only when the claiming gateway died.
import { hkdfSync } from 'node:crypto';
import { Secret } from '@parlance/config';
import { Keyring } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import { z } from 'zod';
import type { Occasion } from './letters.js';

/** Longer than one try may take. */
const claimSeconds = 120;
const retrySeconds = [2, 10, 60, 300] as const;
const mostAttempts = 2_000;

/** The part of a mail that is sealed at rest: everything that names the receiver or opens something. */
const Content = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });
export type Content = z.infer<typeof Content>;

/** A mail that this gateway has to send now. */
export interface Claimed {
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly isOver: boolean;
  /** Undefined when it cannot be opened: it was sealed under another AUTH_SECRET. */
  readonly content: Content | undefined;
}

interface ClaimedRow {
  readonly id: string;
  readonly kind: string;
  readonly sealed: string;
  readonly attempts: number;
  readonly isOver: boolean;
}

const claim = `
  update mail_outbox
     set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
   where id = (select id from mail_outbox where next_attempt_at <= now()
                order by next_attempt_at limit 1 for update skip locked)
  returning id, kind, sealed, attempts, expires_at <= now() or attempts > $2 as "isOver"`;

const purpose = 'parlance mail outbox';

/** Seals and opens the content of mails, under a key that only AUTH_SECRET gives. */
export class MailSeal {
  readonly #keyring: Keyring;

  constructor(authSecret: Secret) {
    const key = Buffer.from(hkdfSync('sha256', authSecret.reveal(), '', purpose, 32)).toString('base64');
    this.#keyring = new Keyring({ id: 'mail', key: new Secret(key) });
  }

  seal(id: string, content: Content): string {
    return this.#keyring.seal(Buffer.from(JSON.stringify(content)), `mail|${id}`);
  }

  open(id: string, sealed: string): Content | undefined {
    try {
      return Content.parse(JSON.parse(this.#keyring.open(sealed, `mail|${id}`).toString()));
    } catch {
      return undefined;
    }
  }
}

export class MailOutbox {
  readonly #db: Tx;
  readonly #seal: MailSeal;

  constructor(db: Tx, seal: MailSeal) {
    this.#db = db;
    this.#seal = seal;
  }

  /** The mail that has waited longest, for this gateway alone until the claim ends; undefined when none is due. */
  async claim(): Promise<Claimed | undefined> {
    const { rows } = await this.#db.query<ClaimedRow>(claim, [claimSeconds, mostAttempts]);
    const [row] = rows;
    if (row === undefined) return undefined;
    const { sealed, ...mail } = row;
    return { ...mail, content: this.#seal.open(row.id, sealed) };
  }

  /** Forgets a mail: it was sent, or there is nothing to send any more. */
  async remove({ id }: Claimed): Promise<void> {
    await this.#db.query('delete from mail_outbox where id = $1', [id]);
  }

  /** Puts a mail back, to be tried again later. A mail that was claimed again meanwhile is left to that claim. */
  async postpone({ id, attempts }: Claimed): Promise<void> {
    const seconds = retrySeconds[Math.min(attempts, retrySeconds.length) - 1] ?? claimSeconds;
    await this.#db.query(
      `update mail_outbox set next_attempt_at = now() + make_interval(secs => $3)
        where id = $1 and attempts = $2`,
      [id, attempts, seconds],
    );
  }

  /** The number of mails that wait, and the seconds for which the first of them has waited. */
  async waiting(): Promise<{ readonly mails: number; readonly seconds: number }> {
    const { rows } = await this.#db.query<{ mails: number; seconds: number }>(
      `select count(*)::int as mails,
              coalesce(extract(epoch from now() - min(created_at)), 0)::int as seconds
         from (select created_at from mail_outbox limit 10000) as first`,
    );
    return rows[0] ?? { mails: 0, seconds: 0 };
  }
}

/** The lifetime of the offer in a mail, in seconds. */
export const offerSeconds: Readonly<Record<Occasion['kind'], number>> = {
  verification: 86_400,
  password_reset: 3_600,
  invitation: 7 * 86_400,
  sign_up_again: 86_400,
  second_factor_locked: 86_400,
};
