// Schemas that the requests of several services share.

import { z } from 'zod';
import { callId } from '../values/call.js';
import { SecretUses } from '../values/secret-mentions.js';
import { phoneNumber, uuid } from '../values/text.js';

/** Organizations that its owner has, or had: what the operator set for them holds for the next one, too. */
export const beginning = z.object({ earlierIds: z.array(z.string()).max(500) });

/** Absent in the messages of a release before. */
export const secretUses = { uses: SecretUses.optional() };

export const callIds = z.object({ callIds: z.array(callId).min(1).max(500) });

export const agentId = z.object({ agentId: uuid });

/** A person as an organization knows them: by a telephone number. */
export const person = z.object({ phoneNumber });

export const personErasure = person.extend({
  /** Names the erasure; its repetitions and pieces have the same id. */
  erasureId: uuid,
  /** `user:<id>` or `key:<id>`, for the records. */
  requestedBy: z.string(),
});

/** One piece of an erasure. */
export const erasedPiece = z.object({
  /** Things that were erased by this request. */
  erased: z.int().min(0),
  /** True while something is left, also what cannot be erased yet, such as a call in progress. */
  more: z.boolean(),
});

/** One removal of the caller's organization. */
export const removal = z.object({ removalId: uuid });

export const reopened = z.object({ reopened: z.literal(true) });

/** What the gateway knows of an upload before it has read a byte. */
export const UploadArrival = z.object({
  ticket: z.string().max(4_096),
  contentType: z.string().max(256),
  bytes: z.int().min(0),
});

/** An address of the storage, signed for exactly this upload. */
export const AdmittedUpload = z.object({ url: z.string() });

/** Each service with rows of organizations has this row. */
export const organizationCleared = {
  askedBy: ['gateway'],
  summary: 'Is nothing left here of the organization that was removed',
  body: removal,
  /** False, too, while the service has not heard of the removal. */
  data: z.object({ cleared: z.boolean() }),
} as const;
