// Sends the waiting mails of the outbox, one after the other. A server that is away stops the round. A mail that is
// refused for good is given up, and the log says so without an address.
import { type Mailer, MailNotSent } from '@parlance/mail';
import { type Logger, type RunningPart, ShownReason, startRounds } from '@parlance/observability';
import type { Claimed, Content, MailOutbox } from './mail-outbox.js';

const everyMs = 2_000;
/** Shorter than a claim. */
const sendLimitMs = 60_000;
/** A mail that waits for less has only just been written. */
const tolerableSeconds = 30;

export interface PostmanOptions {
  readonly outbox: MailOutbox;
  /** Undefined where no SMTP server is named. */
  readonly mailer: Mailer | undefined;
  readonly logger: Logger;
}

const withinLimit = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MailNotSent('the server took too long')), sendLimitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

class Postman {
  readonly #outbox: MailOutbox;
  readonly #mailer: Mailer;
  readonly #logger: Logger;

  constructor(outbox: MailOutbox, mailer: Mailer, logger: Logger) {
    this.#outbox = outbox;
    this.#mailer = mailer;
    this.#logger = logger;
  }

  async round(stopping: AbortSignal): Promise<void> {
    let goesOn = true;
    while (goesOn && !stopping.aborted) {
      const mail = await this.#outbox.claim();
      goesOn = mail !== undefined && (await this.#handle(mail));
    }
  }

  /** False when the server, and not this mail, is the trouble. */
  async #handle(mail: Claimed): Promise<boolean> {
    if (mail.isOver) return this.#giveUp(mail, 'nobody took it in time');
    if (mail.content === undefined) return this.#giveUp(mail, 'it was sealed under another AUTH_SECRET');
    try {
      await this.#send(mail.id, mail.content);
    } catch (error) {
      if (!(error instanceof MailNotSent)) throw error;
      if (error.isRefused) return this.#giveUp(mail, error.message);
      this.#logger.warn({ kind: mail.kind, attempts: mail.attempts, reason: error.message }, 'a mail waits');
      await this.#outbox.postpone(mail);
      return false;
    }
    await this.#outbox.remove(mail);
    return true;
  }

  #send(id: string, content: Content): Promise<void> {
    return withinLimit(this.#mailer.send({ id, ...content }));
  }

  async #giveUp(mail: Claimed, reason: string): Promise<true> {
    this.#logger.warn({ kind: mail.kind, attempts: mail.attempts, reason }, 'a mail is given up');
    await this.#outbox.remove(mail);
    return true;
  }
}

/** Undefined where no server is named: mails wait until one is. */
export const startPostman = ({ outbox, mailer, logger }: PostmanOptions): RunningPart | undefined => {
  if (mailer === undefined) return undefined;
  const postman = new Postman(outbox, mailer, logger);
  return outbox.observed(
    startRounds({
      name: 'sending of mails',
      everyMs,
      activity: outbox.activity,
      logger,
      round: (stopping) => postman.round(stopping),
    }),
  );
};

/** For /ready. @throws ShownReason with the number of mails that have waited too long */
export const mailCheck = async ({ outbox, mailer }: PostmanOptions): Promise<unknown> => {
  const { mails, seconds } = await outbox.waiting();
  const isLate = mails > 0 && (mailer === undefined || seconds > tolerableSeconds);
  if (!isLate) return mailer === undefined ? 'skipped' : undefined;
  const why = mailer === undefined ? 'no SMTP_URL is set' : 'the SMTP server does not take them';
  throw new ShownReason(`${mails} ${mails === 1 ? 'mail waits' : 'mails wait'}: ${why}`);
};
