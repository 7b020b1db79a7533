// Puts a file at a presigned address of the object storage, and tells how far it is. The storage is no part of the interface, so the
// client does not know it, and fetch tells no progress.

import { isApiError } from '@parlance/client';

/** The interface reads sizes up to this one; a larger file is measured on its way. */
const mostBytes = 999_999_999;

/** The query for an address that accepts exactly this file. */
export const uploadQuery = (
  file: Blob & { readonly name: string },
  contentType: string,
): { readonly fileName: string; readonly contentType: string; readonly bytes?: number } => ({
  fileName: file.name,
  contentType,
  ...(file.size <= mostBytes && { bytes: file.size }),
});

/** The most bytes that a file may have, where a request was refused for its size. */
export const mostBytesOf = (failure: unknown): number | undefined => {
  if (!isApiError(failure) || failure.code !== 'PAYLOAD_TOO_LARGE') return undefined;
  const most: unknown = Reflect.get(failure.details ?? {}, 'maxBytes');
  return typeof most === 'number' ? most : undefined;
};

/** The storage has answered that it does not take the file, or was not reached (status 0). */
export class FileRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the storage answered ${status}`);
    this.status = status;
  }
}

/** Choices of which only the newest counts: each one ends those before, whose work stops, and whose result comes too late. */
export class Choices {
  #newest: AbortController | undefined;

  /** @returns aborted as soon as another choice is made */
  next(): AbortSignal {
    this.end();
    this.#newest = new AbortController();
    return this.#newest.signal;
  }

  end(): void {
    this.#newest?.abort();
  }
}

/**
 * @param contentType the one that the address was made for
 * @param onProgress gets the bytes that have gone
 * @param signal stops the upload, which is refused then
 * @throws FileRefused
 */
export const uploadFile = (
  url: string,
  file: Blob,
  contentType: string,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.upload.addEventListener('progress', ({ loaded }) => {
      if (!signal.aborted) onProgress(loaded);
    });
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new FileRefused(request.status));
    });
    request.addEventListener('error', () => reject(new FileRefused(0)));
    request.addEventListener('abort', () => reject(new FileRefused(0)));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) reject(new FileRefused(0));
    else request.send(file);
  });
