// Sends mails over SMTP. The server is the operator's own choice, so it may stand anywhere, inside the network too.
import { createTransport } from 'nodemailer';
import { isEmailAddress, type Mailbox } from './address.js';

export interface Mail {
  /** The same for every try, so that a mailbox that got it twice shows it once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailerOptions {
  /** `smtp://` takes TLS where the server offers it, `smtps://` begins with it; user and password as in any URL. */
  readonly url: string;
  readonly from: Mailbox;
  /** Limit for connecting, and for every silence after it. */
  readonly timeoutMs?: number;
}

export interface Mailer {
  /** Resolves when the server has taken the mail. @throws MailNotSent */
  send(mail: Mail): Promise<void>;
}

/** The reason why a server did not take a mail. It quotes no words of the server, because servers repeat addresses. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  /** This recipient or this mail is refused, and will be at the next try too. */
  readonly isRefused: boolean;
  /** Status of the SMTP answer, such as 550; undefined when there was none. */
  readonly status: number | undefined;

  constructor(reason: string, { isRefused = false, status }: { isRefused?: boolean; status?: number } = {}) {
    super(`the mail was not sent: ${reason}`);
    this.isRefused = isRefused;
    this.status = status;
  }
}

const defaultTimeoutMs = 10_000;

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;

/** Codes of nodemailer that speak of the mail, and not of the server or of the way to it. */
const aboutTheMail = new Set(['EENVELOPE', 'EMESSAGE']);

const toMailNotSent = (error: unknown): MailNotSent => {
  if (error instanceof MailNotSent) return error;
  const code = field(error, 'code');
  const status = field(error, 'responseCode');
  const reason = typeof code === 'string' && /^E[A-Z]{2,20}$/.test(code) ? code : 'unknown reason';
  if (typeof status !== 'number') return new MailNotSent(reason);
  const isRefused = status >= 500 && aboutTheMail.has(reason);
  return new MailNotSent(`${reason}, SMTP ${status}`, { isRefused, status });
};

const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;

/** No text of a person may end a header line, even if the library would let it. */
const assertPlain = ({ id, to, subject }: Mail): void => {
  if (!isEmailAddress(to) || !oneLine.test(subject) || !/^[\w-]{1,64}$/.test(id))
    throw new MailNotSent('it has an address, a subject or an id that is none', { isRefused: true });
};

const transportTo = ({ url, timeoutMs = defaultTimeoutMs }: Pick<MailerOptions, 'url' | 'timeoutMs'>) =>
  createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // a mail is the text that it was given, and never a file or a page that it names
    disableFileAccess: true,
    disableUrlAccess: true,
  });

const telling = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    throw toMailNotSent(error);
  }
};

/** Resolves when the server takes connections and the credentials; it is sent no mail. @throws MailNotSent */
export const checkMailServer = (options: Pick<MailerOptions, 'url' | 'timeoutMs'>): Promise<void> =>
  telling(() => transportTo(options).verify());

export const createMailer = ({ url, from, timeoutMs = defaultTimeoutMs }: MailerOptions): Mailer => {
  const transport = transportTo({ url, timeoutMs });
  const host = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    send: (mail) =>
      telling(async () => {
        assertPlain(mail);
        await transport.sendMail({
          from,
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      }),
  };
};
