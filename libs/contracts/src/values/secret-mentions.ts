// The secrets that a resource mentions, and where it sends them.
import { z } from 'zod';
import { uuid } from './text.js';
import { ResourceRef } from './tool.js';

/** The secrets that a resource mentions: by id in `{ secretId }`, by name in `{{secrets.NAME}}`. */
export const secretMentions = { ids: z.array(uuid).max(200), names: z.array(z.string()).max(200) };

/** Where the mentioned secrets are sent: those of one destination each. A secret that only signs or verifies is in none. */
export const SecretUses = z.array(z.object({ origin: z.string(), ...secretMentions })).max(20);
export type SecretUses = z.infer<typeof SecretUses>;

/** A number that tools-secrets draws: mentions that were noted earlier have smaller ones. It exceeds a safe integer some day. */
export const noteNumber = z.string().regex(/^\d{1,19}$/);

/** The secrets that a resource mentions, those of saves under way included. */
export const SecretMentionsReport = z.object({
  /** The name is empty for a resource that does not exist. */
  user: ResourceRef,
  ...secretMentions,
  uses: SecretUses,
  /** The number of the request for this report. The resource was read after it was drawn. */
  noted: noteNumber,
});
export type SecretMentionsReport = z.infer<typeof SecretMentionsReport>;
