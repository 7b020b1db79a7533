// Signs webhooks with a secret. A secret of `whsec_` and base64 holds the key in base64, as receivers of Standard
// Webhooks expect. Any other secret is itself the key, as its bytes in UTF-8.
import { Webhook } from 'standardwebhooks';

const prefix = 'whsec_';

const withoutPadding = (text: string): string => text.replace(/=+$/, '');

const isBase64 = (text: string): boolean =>
  text !== '' && withoutPadding(Buffer.from(text, 'base64').toString('base64')) === withoutPadding(text);

export const signerOf = (secret: string): Webhook =>
  secret.startsWith(prefix) && isBase64(secret.slice(prefix.length))
    ? new Webhook(Buffer.from(secret.slice(prefix.length), 'base64'), { format: 'raw' })
    : new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });
