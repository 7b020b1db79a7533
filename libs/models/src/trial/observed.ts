// Keeps the status and the beginning of an answer that is not what was asked for, so that a person sees what is wrong.
import { Readable } from 'node:stream';
import type { Secret } from '@parlance/config';
import type { Egress, EgressOpening, OpenResponse } from '@parlance/egress';

const mostBytes = 2_048;
const mostCharacters = 200;
/** Shorter pieces of a key occur in any text. */
const pieceLength = 8;

const beginning = async (body: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= mostBytes) break;
    }
  } catch {
    // What came before is shown.
  } finally {
    body.on('error', () => undefined).destroy();
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
};

const holdsPieceOf = (text: string, key: string): boolean => {
  for (let at = 0; at + pieceLength <= key.length; at += 1)
    if (text.includes(key.slice(at, at + pieceLength))) return true;
  return text.includes(key);
};

/** Servers quote keys back in messages about them. */
const aboutKeys: ReadonlySet<number> = new Set([401, 402, 403]);

export class Observed implements Pick<Egress, 'open'> {
  readonly #egress: Pick<Egress, 'open'>;
  readonly #isExpected: (contentType: string) => boolean;
  #status: number | null = null;
  #beginning = '';

  /** @param isExpected true for the content type of an answer that is read as a whole */
  constructor(egress: Pick<Egress, 'open'>, isExpected: (contentType: string) => boolean) {
    this.#egress = egress;
    this.#isExpected = isExpected;
  }

  get status(): number | null {
    return this.#status;
  }

  /** Null where nothing came, or where it may hold the key. */
  excerpt(key: Secret | undefined): string | null {
    const text = this.#beginning
      .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
      .trim()
      .slice(0, mostCharacters)
      .replace(/\p{Surrogate}$/u, '');
    if (text === '' || aboutKeys.has(this.#status ?? 0)) return null;
    return key !== undefined && holdsPieceOf(this.#beginning, key.reveal()) ? null : text;
  }

  async open(url: string, options?: EgressOpening): Promise<OpenResponse> {
    const answer = await this.#egress.open(url, options);
    this.#status = answer.status;
    if (answer.status === 200 && this.#isExpected(answer.headers['content-type'] ?? '')) return answer;
    const bytes = await beginning(answer.body);
    this.#beginning = bytes.toString('utf8');
    return { ...answer, body: Readable.from([bytes]) };
  }
}
