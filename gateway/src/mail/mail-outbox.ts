// Mails wait here until a server has taken them. Every gateway works on the same table; a mail is claimed for as long
// as sending it may take. So it is sent once, and again only when the claiming gateway died.
import { hkdfSync } from 'node:crypto';
import { Secret } from '@parlance/config';
import { Keyring } from '@parlance/crypto';
import { JobQueue, type Leased, withLag } from '@parlance/jobs';
import type { Activity, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { z } from 'zod';
import type { Occasion } from './letters.js';

const mostAttempts = 2_000;

/** The part of a mail that is sealed at rest: everything that names the receiver or opens something. */
const Content = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });
export type Content = z.infer<typeof Content>;

interface MailRow {
  readonly id: string;
  readonly kind: string;
  readonly sealed: string;
  readonly attempts: number;
  readonly isOver: boolean;
}

/** A mail that this gateway has to send now. The content is undefined when it was sealed under another AUTH_SECRET. */
export type Claimed = Leased<Omit<MailRow, 'sealed'>> & { readonly content: Content | undefined };

const mailJobs = new JobQueue<MailRow>({
  name: 'mails',
  table: 'mail_outbox',
  key: ['id'],
  columns: `id, kind, sealed, attempts, expires_at <= now() or attempts > ${mostAttempts} as "isOver"`,
  dueAt: 'next_attempt_at',
  attempts: 'attempts',
  leaseMs: 120_000,
  retry: { firstMs: 2_000, longestMs: 300_000, factor: 5 },
});

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
  readonly #db: Database;
  readonly #seal: MailSeal;

  constructor(db: Database, seal: MailSeal) {
    this.#db = db;
    this.#seal = seal;
  }

  /** The mail that has waited longest, for this gateway alone until the claim ends; undefined when none is due. */
  async claim(): Promise<Claimed | undefined> {
    const [row] = await mailJobs.lease(this.#db, 1);
    if (row === undefined) return undefined;
    const { sealed, ...mail } = row;
    return { ...mail, content: this.#seal.open(row.id, sealed) };
  }

  /** Forgets a mail: it was sent, or there is nothing to send any more. */
  async remove({ id }: Claimed): Promise<void> {
    await this.#db.query('delete from mail_outbox where id = $1', [id]);
  }

  /** Puts a mail back, to be tried again later. A mail that was claimed again meanwhile is left to that claim. */
  async postpone(mail: Claimed): Promise<void> {
    await mailJobs.retry(this.#db, mail);
  }

  observed(part: RunningPart): RunningPart {
    return withLag(part, this.#db, mailJobs);
  }

  get activity(): Activity {
    return this.#db.activity;
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
