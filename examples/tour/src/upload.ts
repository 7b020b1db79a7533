// A file into the storage of the platform, to an address that the platform has signed.
import { readFileSync } from 'node:fs';

/** @throws Error with the storage's own words when it refuses */
export const put = async (uploadUrl: string, file: string, contentType: string): Promise<void> => {
  const answer = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: readFileSync(file),
  });
  if (!answer.ok) throw new Error(`the upload was refused: ${answer.status} ${await answer.text()}`);
};
