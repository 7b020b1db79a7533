// The mails that the platform writes to people: short, the same in text and in HTML, with one link at most.

/** The occasion of a mail. Links are whole addresses. */
export type Occasion =
  | { readonly kind: 'verification'; readonly link: string }
  | { readonly kind: 'password_reset'; readonly link: string }
  | {
      readonly kind: 'invitation';
      readonly link: string;
      readonly organization: string;
      readonly role: string;
    }
  | { readonly kind: 'sign_up_again'; readonly link: string }
  | { readonly kind: 'second_factor_locked'; readonly link: string };

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Parts {
  readonly subject: string;
  readonly before: string;
  readonly link: string;
  readonly after: string;
}

/** A name that a person chose, as one short line. */
const oneLine = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 80);

const partsOf = (occasion: Occasion): Parts => {
  const { link } = occasion;
  switch (occasion.kind) {
    case 'verification':
      return {
        subject: 'Verify your e-mail address',
        before: 'Your address was used to sign up at Parlance. If that was you, open this link within a day:',
        link,
        after: 'If it was not you, do not open the link. The account can then do nothing in your name.',
      };
    case 'password_reset':
      return {
        subject: 'Choose a new password',
        before:
          'A new password was asked for your Parlance account. To choose one, open this link within an hour:',
        link,
        after: 'Every device is signed out then. If you did not ask for it, you need to do nothing.',
      };
    case 'invitation':
      return {
        subject: `You are invited to ${oneLine(occasion.organization)}`,
        before: `You are invited to join "${oneLine(occasion.organization)}" on Parlance as ${occasion.role}. This link is good for seven days:`,
        link,
        after: 'If you do not know who invites you, you need to do nothing.',
      };
    case 'sign_up_again':
      return {
        subject: 'You have an account already',
        before:
          'Your address was used to sign up at Parlance, where you have an account already. Nothing was changed. You can sign in here:',
        link,
        after:
          'If you have forgotten your password, ask for a new one there. If it was not you, you need to do nothing.',
      };
    case 'second_factor_locked':
      return {
        subject: 'Somebody knows your password',
        before:
          'Your password was entered at Parlance, and then ten wrong codes of your second factor. The second factor is locked for 15 minutes, and longer after further wrong codes. If it was not you, choose a new password now:',
        link,
        after: 'A new password ends the lock and signs every device out. If it was you, wait, and try again.',
      };
  }
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const page = ({ subject, before, link, after }: Parts): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font: 16px/1.6 system-ui, sans-serif; max-width: 36rem">
<p>${escaped(before)}</p>
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
<p>${escaped(after)}</p>
</body>
</html>
`;

export const letterFor = (occasion: Occasion): Letter => {
  const parts = partsOf(occasion);
  const { subject, before, link, after } = parts;
  return { subject, text: `${before}\n\n${link}\n\n${after}\n`, html: page(parts) };
};
