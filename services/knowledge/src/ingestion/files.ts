// Loads the file of a source from the object storage.
import { AppError } from '@parlance/errors';
import type { ObjectStorage } from '@parlance/object-storage';
import { limits } from '../reading/limits.js';
import { Refused, TryLater } from './job-failures.js';

/** @throws Refused, TryLater */
export const loadFile = async (
  storage: ObjectStorage | undefined,
  key: string,
  signal: AbortSignal,
): Promise<Buffer> => {
  if (storage === undefined) throw new TryLater('FETCH_FAILED', 'No object storage is configured.');
  try {
    const content = await storage.open(key, signal);
    if (content === undefined) throw new Refused('FETCH_FAILED', 'The uploaded file is gone.');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of content) {
      const piece = Buffer.from(chunk as Uint8Array);
      bytes += piece.length;
      if (bytes > limits.fileBytes) {
        content.destroy();
        throw new Refused('TOO_LARGE', `The file is larger than ${limits.fileBytes / 1_048_576} MiB.`);
      }
      chunks.push(piece);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const code = error instanceof AppError ? error.code : 'the transfer broke off';
    throw new TryLater('FETCH_FAILED', `The uploaded file could not be loaded: ${code}.`, { cause: error });
  }
};
