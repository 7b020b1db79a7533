// The upload of a recording by the voice runtime that made it.
import { z } from 'zod';
import { timestamp } from './text.js';

/** The content types of recordings, and the extension of each. */
export const recordingTypes = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
} as const;

/** Bytes that a recording may have: two hours in stereo, uncompressed, at 16 kHz. */
const maxRecordingBytes = 512 * 1024 * 1024;

const contentType = z.enum(['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/mp4', 'audio/webm']);

export const RecordingUploadInput = z.strictObject({
  contentType,
  bytes: z.int().min(1).max(maxRecordingBytes).meta({ description: 'size of the file' }),
});
export type RecordingUploadInput = z.infer<typeof RecordingUploadInput>;

export const RecordingUpload = z
  .object({
    storageKey: z.string(),
    uploadUrl: z.string().meta({ description: 'accepts a single PUT with this `Content-Type`' }),
    contentType,
    expiresAt: timestamp,
  })
  .meta({ id: 'RecordingUpload', description: 'Where the voice runtime uploads the recording of a call.' });
export type RecordingUpload = z.infer<typeof RecordingUpload>;
