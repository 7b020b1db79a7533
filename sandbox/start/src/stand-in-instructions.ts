// The instructions for the child process of the stand-ins. They lie apart from its start, so that the child loads nothing of that.
import { z } from 'zod';

const place = { dataDir: z.string(), port: z.number() };

/** The engines that have a stand-in, by the names under which their faults are set; an absent one is not started. */
const StandInParts = z.object({
  eventStore: z.object(place).optional(),
  mongo: z.object(place).optional(),
  s3: z
    .object({
      ...place,
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      buckets: z.array(z.string()),
      corsOrigins: z.array(z.string()),
    })
    .optional(),
  liveKit: z
    .object({
      ...place,
      apiKey: z.string(),
      apiSecret: z.string(),
      webhookUrl: z.string(),
      platformUrl: z.string(),
      internalKey: z.string(),
      agentName: z.string(),
      timeScale: z.number(),
    })
    .optional(),
  twilio: z
    .object({ ...place, credentials: z.object({ accountSid: z.string(), authToken: z.string() }) })
    .optional(),
  telnyx: z.object({ ...place, credentials: z.object({ apiKey: z.string() }) }).optional(),
  mail: z.object(place).optional(),
  /** A system of a customer, for tools. */
  practice: z.object({ port: z.number(), token: z.string() }),
});
export type StandInParts = z.infer<typeof StandInParts>;

/** The instructions for the child. */
export const StandIns = z.object({
  parts: StandInParts,
  /** One file for all: dialled calls, bought and released numbers. */
  ledger: z.string(),
  /** The switches that make them fail on demand. */
  faultControl: z.object({ port: z.number(), token: z.string() }),
});
export type StandIns = z.infer<typeof StandIns>;
