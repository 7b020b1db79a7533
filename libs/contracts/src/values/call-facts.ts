// Facts of other services that the gateway sends along with requests about calls.
import { z } from 'zod';
import { callId } from './call.js';
import { timestamp, uuid } from './text.js';
import { OutboundCallTimeline } from './timeline.js';

/** A live call, and the services that have to end their part of it before it is over. */
export const CallInRoom = z.object({
  callId,
  /** Widgets holds the conversation. */
  inText: z.boolean(),
  /** The outbound call whose dial is not answered yet; null: nothing is dialled. */
  dialOf: uuid.nullable(),
});
export type CallInRoom = z.infer<typeof CallInRoom>;

/** Facts for the end of a live call by an operator. */
export const CallEndFacts = z.object({
  /** What other services have ended; null: no call was live in the room. */
  ended: CallInRoom.extend({
    /** Null where nothing was dialled, or the dial was answered or over before. */
    dialCancelledAt: timestamp.nullable(),
  }).nullable(),
});
export type CallEndFacts = z.infer<typeof CallEndFacts>;

/** Facts for the timeline of a call. */
export const CallTimelineFacts = z.object({
  /** Null for a call without an outbound call, and for a reader who may not see it. */
  outbound: z
    .object({
      /** Null where the dialer does not answer. */
      timeline: OutboundCallTimeline.nullable(),
    })
    .nullable(),
});
export type CallTimelineFacts = z.infer<typeof CallTimelineFacts>;
