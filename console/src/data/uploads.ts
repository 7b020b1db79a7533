// Puts a file at a presigned address of the object storage. The storage is no part of the interface, so the client does not know it.

/** The storage has answered that it does not take the file. */
export class UploadRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the storage answered ${status}`);
    this.status = status;
  }
}

/**
 * The content type has to be the one that the address was made for.
 * @throws UploadRefused
 * @throws TypeError when the storage was not reached
 */
export const uploadTo = async (url: string, file: File, contentType: string): Promise<void> => {
  const response = await fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body: file });
  if (!response.ok) throw new UploadRefused(response.status);
};
