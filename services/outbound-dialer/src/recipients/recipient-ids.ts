// The name of the outbound call of one recipient, made from campaign and row: whoever begins it begins the same stream.
import { v5 } from 'uuid';

const namespace = '3f0f6a52-6f0b-5d8e-8f55-0f6b1c1f9f0a';

/** @param rowNumber as in the file: the header is row 1 */
export const recipientCallId = (campaignId: string, rowNumber: number): string =>
  v5(`${campaignId}/${rowNumber}`, namespace);
