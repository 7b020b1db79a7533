// What is known of a call while it lasts, in a file of the worker: it hands the call over whose process died. Only the worker
// and its processes have the key, which is in their memory.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandOver } from '@parlance/conversation';
import { z } from 'zod';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export const newJournalKey = (): string => randomBytes(32).toString('base64');

const seal = (text: string, key: Buffer): Buffer => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
};

const open = (sealed: Buffer, key: Buffer): string => {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
};

export interface JournalPlace {
  readonly folder: string;
  /** Base64 of 32 bytes. */
  readonly key: string;
}

export class Journal {
  readonly #path: string;
  readonly #key: Buffer;

  constructor({ folder, key }: JournalPlace, jobId: string) {
    this.#path = join(folder, `${jobId.replaceAll(/[^\w-]/g, '')}.call`);
    this.#key = Buffer.from(key, 'base64');
  }

  /** The hand-over as it would be now. It is on the disk when this returns: the process may be killed at any time. */
  write(call: HandOver): void {
    const next = `${this.#path}.next`;
    writeFileSync(next, seal(JSON.stringify(call), this.#key), { mode: 0o600 });
    renameSync(next, this.#path);
  }

  /** The call is handed over, or there is none. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  /** Undefined where the call was handed over, or never answered. */
  read(): HandOver | undefined {
    let sealed: Buffer;
    try {
      sealed = readFileSync(this.#path);
    } catch {
      return undefined;
    }
    // Written by `write`, and by nothing else.
    return z
      .looseObject({ eventId: z.string() })
      .parse(JSON.parse(open(sealed, this.#key))) as unknown as HandOver;
  }
}

/** The hand-over of a call whose process died at this moment; one that had ended before keeps its end. */
export const handOverOfDead = (call: HandOver, at: Date): HandOver => {
  if (call.endedReason) return call;
  const from = Date.parse(call.answeredAt ?? call.startedAt);
  const ended = new Date(Math.max(at.getTime(), from));
  return {
    ...call,
    endedReason: 'error_runtime',
    endedAt: ended.toISOString(),
    durationSeconds: (ended.getTime() - from) / 1_000,
  };
};
