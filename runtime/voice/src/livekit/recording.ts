// Uploads the recording of a call to the storage of the platform.
import { createHash } from 'node:crypto';
import { RecordingUpload, type RuntimeConfig } from '@parlance/contracts';
import type { HandOver } from '@parlance/conversation';
import { z } from 'zod';
import type { RecordedCall } from '../speech/recorder.js';

const contentType = 'audio/wav';
const requestMs = 10_000;
const uploadMs = 120_000;

/** @throws Error when the platform or the storage refuses, or does not answer */
export const upload = async (
  { file, durationSeconds }: RecordedCall,
  callId: string,
  { baseUrl, callToken }: RuntimeConfig['runtime'],
): Promise<NonNullable<HandOver['recording']>> => {
  const created = await fetch(`${baseUrl}/runtime/calls/${encodeURIComponent(callId)}/recording`, {
    method: 'POST',
    headers: { authorization: `Bearer ${callToken ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({ contentType, bytes: file.length }),
    signal: AbortSignal.timeout(requestMs),
  });
  if (!created.ok) throw new Error(`the platform refused a recording: ${created.status}`);
  const { data } = z.object({ data: RecordingUpload }).parse(await created.json());
  const put = await fetch(data.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: file,
    signal: AbortSignal.timeout(uploadMs),
  });
  if (!put.ok) throw new Error(`the storage refused a recording: ${put.status}`);
  const sha256 = createHash('sha256').update(file).digest('hex');
  return { storageKey: data.storageKey, durationSeconds, channels: 2, sha256 };
};
