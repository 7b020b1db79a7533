// The settings that the child process of the telephones is started with.
import { z } from 'zod';

export const TelephonesPlace = z.object({
  /** UDP port that trunks lead to. */
  port: z.number(),
  /** TCP port of the control that lets a telephone call in. */
  controlPort: z.number(),
  /** Bearer token of the control. */
  token: z.string(),
  /** Host and port of the SIP service that takes calls. */
  sipAddress: z.string(),
  dataDir: z.string(),
  logFile: z.string(),
  ledgerFile: z.string(),
});
export type TelephonesPlace = z.infer<typeof TelephonesPlace>;

/** A telephone that calls in. The same body starts a simulated call at the LiveKit stand-in. */
export const CallIn = z.object({
  /** E.164 */
  from: z.string().regex(/^\+\d{5,15}$/),
  to: z.string().regex(/^\+\d{5,15}$/),
  /** The caller hangs up after this long, where the agent has not. */
  talkSeconds: z.number().min(1).max(600).optional(),
  /** PCMU at 8 kHz in base64, played once in the place of the keys. */
  recording: z.base64().optional(),
});
