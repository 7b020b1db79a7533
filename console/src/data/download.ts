// Files that an operation answers, put together in the browser and given to the person.
import { createClient } from '@parlance/client';
import { clientOptions } from './client.js';

/** Pieces are handed to the browser's own store at this size, so that the page does not hold a long file itself. */
const handedOverFrom = 1_000_000;

/** @throws whatever the text throws: a file that breaks off is no file */
export const blobOf = async (
  text: AsyncIterable<string>,
  type: string,
  onBytes: (bytes: number) => void,
): Promise<Blob> => {
  const blobs: Blob[] = [];
  let [pieces, waiting, bytes]: [string[], number, number] = [[], 0, 0];
  const handOver = (): void => {
    const blob = new Blob(pieces, { type });
    blobs.push(blob);
    bytes += blob.size;
    [pieces, waiting] = [[], 0];
    onBytes(bytes);
  };
  for await (const piece of text) {
    pieces.push(piece);
    waiting += piece.length;
    if (waiting >= handedOverFrom) handOver();
  }
  handOver();
  return new Blob(blobs, { type });
};

const give = (blob: Blob, fileName: string): void => {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  // The browser has taken the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 0);
};

type ExportQuery = NonNullable<Parameters<ReturnType<typeof createClient>['calls']['export']>[0]>['query'];

type PeopleParts = Parameters<ReturnType<typeof createClient>['outboundCalls']['exportRecipients']>[0];

/** As `downloadCalls`, for the people of a campaign. */
export const downloadPeople = async (
  parts: PeopleParts,
  fileName: string,
  onBytes: (bytes: number) => void,
): Promise<void> => {
  const text = await createClient(clientOptions).outboundCalls.exportRecipients(parts);
  give(await blobOf(text, 'text/csv', onBytes), fileName);
};

/**
 * Downloads the calls of a query as CSV.
 * @param onBytes told while the file arrives
 * @throws ApiError
 */
export const downloadCalls = async (
  query: ExportQuery,
  fileName: string,
  onBytes: (bytes: number) => void,
): Promise<void> => {
  const text = await createClient(clientOptions).calls.export({ query });
  give(await blobOf(text, 'text/csv', onBytes), fileName);
};
