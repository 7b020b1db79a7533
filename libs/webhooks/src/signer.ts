// What signs a webhook with a secret. Receivers of Standard Webhooks expect `whsec_` and the key in base64; any other secret
// is the key itself, as its bytes in UTF-8.
import { Webhook } from 'standardwebhooks';

const prefix = 'whsec_';

const withoutPadding = (text: string): string => text.replace(/=+$/, '');

const isBase64 = (text: string): boolean =>
  text !== '' && withoutPadding(Buffer.from(text, 'base64').toString('base64')) === withoutPadding(text);

export const signerOf = (secret: string): Webhook =>
  secret.startsWith(prefix) && isBase64(secret.slice(prefix.length))
    ? new Webhook(Buffer.from(secret.slice(prefix.length), 'base64'), { format: 'raw' })
    : new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });
