// The id of the outbound call of one recipient, made from campaign and row. So every process that begins the call
// begins the same stream.
import { hash } from 'node:crypto';
import { parse } from 'uuid';

const namespace = parse('3f0f6a52-6f0b-5d8e-8f55-0f6b1c1f9f0a');

/**
 * Ids for many rows of one campaign, as `uuid` makes them in version 5. A file of a million rows needs as many, and the
 * library takes three times as long for one.
 * @returns takes the number of a row as in the file: the header is row 1
 */
export const recipientCallIds = (campaignId: string): ((rowNumber: number) => string) => {
  const start = Buffer.concat([namespace, Buffer.from(`${campaignId}/`)]);
  const name = Buffer.concat([start, Buffer.alloc(16)]);
  return (rowNumber) => {
    const end = start.length + name.write(String(rowNumber), start.length, 'latin1');
    const hex = hash('sha1', name.subarray(0, end), 'hex');
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
};

/** @param rowNumber as in the file */
export const recipientCallId = (campaignId: string, rowNumber: number): string =>
  recipientCallIds(campaignId)(rowNumber);
