// The mails that accounts send to people. A mail goes into the outbox in better-auth's own transaction, so the mail
// waits exactly when its occasion was stored.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secret } from '@parlance/config';
import type { Clock, Ids } from '@parlance/observability';
import type { BetterAuthPlugin } from 'better-auth';
import { letterFor, type Occasion } from '../mail/letters.js';
import { MailSeal, offerSeconds } from '../mail/mail-outbox.js';
import type { AuthAdapter } from './auth-adapter.js';

/** Makes the outbox a table of better-auth's, as far as writing a row goes; a migration of ours creates it. */
export const mailOutboxModel = {
  id: 'mail-outbox',
  schema: {
    mailOutbox: {
      modelName: 'mail_outbox',
      fields: {
        kind: { type: 'string', required: true },
        sealed: { type: 'string', required: true },
        expiresAt: { type: 'date', required: true, fieldName: 'expires_at' },
      },
    },
  },
} satisfies BetterAuthPlugin;

export interface AuthMailsOptions {
  readonly authSecret: Secret;
  /** Scheme, host and port that links begin with. */
  readonly publicUrl: string;
  /** Base path of better-auth's own routes. */
  readonly authPath: string;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly adapter: () => Promise<AuthAdapter>;
}

interface Recipient {
  readonly email: string;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly organization: { readonly name: string };
}

/** better-auth catches the errors of its callbacks, so a failure is kept here until the request can be told. */
interface Notes {
  failure?: unknown;
}

export class AuthMails {
  readonly #options: AuthMailsOptions;
  readonly #seal: MailSeal;
  readonly #notes = new AsyncLocalStorage<Notes>();

  constructor(options: AuthMailsOptions) {
    this.#options = options;
    this.#seal = new MailSeal(options.authSecret);
  }

  /**
   * Does the work. @throws the error that kept a mail of the work from being written, when better-auth went on
   * regardless
   */
  async writing<T>(work: () => Promise<T>): Promise<T> {
    const notes: Notes = {};
    const result = await this.#notes.run(notes, work);
    if (notes.failure !== undefined) throw notes.failure;
    return result;
  }

  readonly verification = async ({
    user,
    token,
  }: {
    user: Recipient & { emailVerified: boolean };
    token: string;
  }) => {
    if (user.emailVerified) return;
    const { publicUrl, authPath } = this.#options;
    const link = `${publicUrl}${authPath}/verify-email?token=${encodeURIComponent(token)}`;
    await this.#write(user.email, { kind: 'verification', link });
  };

  readonly passwordReset = ({ user, token }: { user: Recipient; token: string }): Promise<void> =>
    this.#write(user.email, {
      kind: 'password_reset',
      link: `${this.#options.publicUrl}/account/reset-password#${encodeURIComponent(token)}`,
    });

  readonly signUpAgain = ({ user }: { user: Recipient }): Promise<void> =>
    this.#write(user.email, {
      kind: 'sign_up_again',
      link: `${this.#options.publicUrl}/account/reset-password`,
    });

  readonly secondFactorLocked = ({ email }: Recipient): Promise<void> =>
    this.#write(email, {
      kind: 'second_factor_locked',
      link: `${this.#options.publicUrl}/account/reset-password`,
    });

  readonly invitation = ({ id, email, role, organization }: Invitation): Promise<void> =>
    this.#write(email, {
      kind: 'invitation',
      role,
      organization: organization.name,
      link: `${this.#options.publicUrl}/account/invitation#${encodeURIComponent(id)}`,
    });

  async #write(to: string, occasion: Occasion): Promise<void> {
    try {
      const { ids, clock, adapter } = this.#options;
      const id = ids.next();
      const expiresAt = new Date(clock.now().getTime() + offerSeconds[occasion.kind] * 1_000);
      const sealed = this.#seal.seal(id, { to, ...letterFor(occasion) });
      const row = { id, kind: occasion.kind, sealed, expiresAt };
      await (await adapter()).create({ model: 'mailOutbox', data: row, forceAllowId: true });
    } catch (error) {
      const notes = this.#notes.getStore();
      if (notes !== undefined) notes.failure ??= error;
      throw error;
    }
  }
}
