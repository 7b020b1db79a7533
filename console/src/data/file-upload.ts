// Puts a file at a presigned address of the object storage, and tells how far it is. The storage is no part of the interface, so the
// client does not know it, and fetch tells no progress.

/** The storage has answered that it does not take the file, or was not reached (status 0). */
export class FileRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the storage answered ${status}`);
    this.status = status;
  }
}

/**
 * @param contentType the one that the address was made for
 * @param onProgress gets the bytes that have gone
 * @throws FileRefused
 */
export const uploadFile = (
  url: string,
  file: Blob,
  contentType: string,
  onProgress: (sent: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new FileRefused(request.status));
    });
    request.addEventListener('error', () => reject(new FileRefused(0)));
    request.send(file);
  });
