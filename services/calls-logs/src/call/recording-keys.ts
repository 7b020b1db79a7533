// The place of a call's recording in the object storage, and the content types that a recording may have.
import { recordingTypes } from '@parlance/contracts';

/** The folder of all recordings of an organization, or of those of one call. */
export const recordingsOf = (organizationId: string, callId?: string): string =>
  `org/${organizationId}/recordings/${callId === undefined ? '' : `${callId}/`}`;

/** A plain name with an extension; no further folder, and so no way out of this one. */
const fileName = /^[A-Za-z0-9_-]{1,100}\.([a-z0-9]{1,16})$/;

export const keyOfRecording = (
  organizationId: string,
  callId: string,
  contentType: keyof typeof recordingTypes,
): string => `${recordingsOf(organizationId, callId)}recording.${recordingTypes[contentType]}`;

/** The extension of a key in the folder of this very call; undefined for every other key. */
const extensionOf = (organizationId: string, callId: string, key: string): string | undefined => {
  const prefix = recordingsOf(organizationId, callId);
  return key.startsWith(prefix) ? fileName.exec(key.slice(prefix.length))?.[1] : undefined;
};

/** False for a key of another organization or of another call, and for one that leads out of the call's folder. */
export const isKeyOfCall = (organizationId: string, callId: string, key: string): boolean =>
  extensionOf(organizationId, callId, key) !== undefined;

/**
 * The headers with which the storage answers for a recording. A browser plays the first types, and runs none of them as
 * a page. A file with another extension can only be saved.
 */
export const headersOf = (organizationId: string, callId: string, key: string) => {
  const extension = extensionOf(organizationId, callId, key) ?? 'bin';
  const known = Object.entries(recordingTypes).find(([, own]) => own === extension);
  return {
    contentType: known?.[0] ?? 'application/octet-stream',
    contentDisposition: `attachment; filename="call-${callId}.${extension}"`,
  };
};
