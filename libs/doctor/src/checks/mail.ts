// The server that sends e-mail.
import { checkMailServer, MailNotSent, parseMailbox } from '@parlance/mail';
import { causeInWords } from '../probe/causes.js';
import { defineCheck, type FindingKind } from '../probe/check.js';

const page = 'docs/operations.md';

const findings = {
  MAIL_UNREACHABLE: {
    severity: 'broken',
    says: 'The server for e-mail cannot be reached.',
    advice: 'Correct SMTP_URL, or let this process reach the server. Mails wait until then.',
    link: page,
  },
  MAIL_REFUSES: {
    severity: 'broken',
    says: 'The server for e-mail refuses the user or the password.',
    advice: 'Make a new password at the server, and put it into SMTP_URL.',
    link: page,
  },
  MAIL_WITHOUT_TLS: {
    severity: 'broken',
    says: 'Mails and the password for them travel in plain text.',
    advice: 'Use smtps:// or a server that offers STARTTLS, and add ?requireTLS=true to SMTP_URL.',
    link: page,
  },
  MAIL_SENDER_UNUSABLE: {
    severity: 'broken',
    says: 'The sender of e-mail has an address that receivers refuse.',
    advice: 'Put an address of a domain of yours into MAIL_FROM, and let its SPF record name the server.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const limitMs = 4_000;
/** Domains that are kept for examples and tests (RFC 2606, RFC 6761). */
const noRealDomain = /(^|\.)(example(\.(com|net|org))?|invalid|test|localhost|local)$/i;

const withRequiredTls = (url: string): string => {
  const strict = new URL(url);
  strict.searchParams.set('requireTLS', 'true');
  return strict.href;
};

export const mail = defineCheck<Code>({
  name: 'mail',
  about:
    'The server for e-mail takes the credentials, encrypts, and the sender is an address that receivers accept.',
  needs: ['SMTP_URL', 'MAIL_FROM'],
  findings,
  look: async ({ variables, found, machine }) => {
    const { SMTP_URL: url = '', MAIL_FROM = '' } = variables;
    const from = parseMailbox(MAIL_FROM) ?? { name: '', address: MAIL_FROM };
    const { host: subject, hostname, protocol } = new URL(url);
    const verify = (address: string) => checkMailServer({ url: address, timeoutMs: limitMs });
    try {
      await verify(url);
    } catch (error) {
      const isRefused = error instanceof MailNotSent && error.message.includes('EAUTH');
      return found(isRefused ? 'MAIL_REFUSES' : 'MAIL_UNREACHABLE', { subject, seen: causeInWords(error) });
    }
    // A server on this machine or in the own network may do without TLS.
    if (await machine.isOwnNetwork(hostname)) return;
    if (protocol === 'smtp:')
      await verify(withRequiredTls(url)).catch(() =>
        found('MAIL_WITHOUT_TLS', { subject, seen: 'The server offers no STARTTLS.' }),
      );
    const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
    if (noRealDomain.test(domain))
      found('MAIL_SENDER_UNUSABLE', {
        subject: from.address,
        seen: `No person can own the domain ${domain}.`,
      });
  },
});
