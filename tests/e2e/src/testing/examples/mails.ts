// The mails that the platform has sent, as its stand-in for a mail server keeps them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@parlance/fixtures';

/** Without the line breaks and escapes that mails travel with (quoted-printable). */
const readable = (mail: string): string => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');

/** The token behind these words in the last mail to an address. */
export const mailedTokenIn =
  (folder: string) =>
  (email: string, words: RegExp): Promise<string> =>
    eventually(
      async () => {
        const mails = readdirSync(folder).filter((file) => file.endsWith(`-${email}.eml`));
        const texts = mails.sort().map((file) => readable(readFileSync(join(folder, file), 'utf8')));
        const tokens = texts.flatMap((text) => new RegExp(`${words.source}([\\w.-]+)`).exec(text)?.[1] ?? []);
        const token = tokens.at(-1);
        if (token === undefined) throw new Error(`no mail to ${email} has ${words}`);
        return token;
      },
      { timeoutMs: 30_000 },
    );
