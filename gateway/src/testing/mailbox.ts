// An SMTP server for tests: it can be away, and it shows the mails that it took.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mailroom, startMailroom } from '@parlance/fake-mail';
import PostalMime from 'postal-mime';

export interface ReceivedMail {
  readonly subject: string;
  readonly text: string;
  /** The one address in it. */
  readonly link: string;
}

export class Mailbox {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'parlance-mailbox-'));
  #port = 0;
  #running: Mailroom | undefined;

  /** Variables of a gateway that sends here. */
  get variables(): Readonly<Record<string, string>> {
    return { SMTP_URL: `smtp://127.0.0.1:${this.#port}`, MAIL_FROM: 'Parlance <parlance@localhost>' };
  }

  /** Listens, on the same port as before. */
  async start(): Promise<void> {
    this.#running = await startMailroom({ dataDir: this.#dataDir, port: this.#port });
    this.#port = this.#running.port;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** The mails that one address got, oldest first. */
  async mailsTo(address: string): Promise<readonly ReceivedMail[]> {
    const files = readdirSync(this.#dataDir).filter((file) => file.endsWith(`-${address}.eml`));
    return Promise.all(files.sort().map((file) => this.#read(file)));
  }

  async #read(file: string): Promise<ReceivedMail> {
    const { subject = '', text = '' } = await PostalMime.parse(readFileSync(join(this.#dataDir, file)));
    return { subject, text, link: /https?:\/\/\S+/.exec(text)?.[0] ?? '' };
  }
}
