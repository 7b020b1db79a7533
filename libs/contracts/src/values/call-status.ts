// One vocabulary for calls and outbound calls: states, outcomes, reasons.
import { z } from 'zod';
import { text } from './text.js';

export const CallStatus = z
  .enum([
    'scheduled',
    'queued',
    'initiated',
    'ringing',
    'in_progress',
    'completed',
    'no_answer',
    'busy',
    'failed',
    'cancelled',
  ])
  .meta({ id: 'CallStatus', description: 'State of a call.' });
export type CallStatus = z.infer<typeof CallStatus>;

const terminal: readonly CallStatus[] = ['completed', 'no_answer', 'busy', 'failed', 'cancelled'];
const retryable: readonly CallStatus[] = ['failed', 'no_answer', 'busy'];

/** True for a state that never changes again. */
export const isTerminal = (status: CallStatus): boolean => terminal.includes(status);
/** True for a state that can still be cancelled. */
export const isCancellable = (status: CallStatus): boolean => !isTerminal(status);
/** True for a state from which a person may ask for another attempt. */
export const isRetryable = (status: CallStatus): boolean => retryable.includes(status);

export const Outcome = z
  .enum(['answered', 'voicemail', 'no_answer', 'busy', 'failed', 'cancelled', 'transferred'])
  .meta({ id: 'Outcome', description: 'What a call came to, once it has ended.' });
export type Outcome = z.infer<typeof Outcome>;

export const AnsweredBy = z
  .enum(['human', 'machine_voicemail', 'machine_ivr', 'machine_unavailable', 'fax', 'no_speech', 'uncertain'])
  .meta({ id: 'AnsweredBy', description: 'What answered an outbound call.' });
export type AnsweredBy = z.infer<typeof AnsweredBy>;

export const EndedReason = z
  .enum([
    'user_hangup',
    'agent_hangup',
    'operator_ended',
    'call_transferred',
    'voicemail_reached',
    'ivr_reached',
    'silence_timeout',
    'max_duration_reached',
    'consent_declined',
    'no_answer',
    'busy',
    'declined',
    'invalid_destination',
    'marked_as_spam',
    'cancelled_by_user',
    'campaign_cancelled',
    'suppressed_dnc',
    'outside_calling_window',
    'country_not_allowed',
    'concurrency_limit',
    'insufficient_balance',
    'provider_rejected',
    'provider_unavailable',
    'sip_error',
    'media_failure',
    'agent_unavailable',
    'error_llm',
    'error_stt',
    'error_tts',
    'error_runtime',
    'room_lost',
    'outcome_unknown',
    'unknown',
  ])
  .meta({ id: 'EndedReason', description: 'Why a call ended.' });
export type EndedReason = z.infer<typeof EndedReason>;

export const EndedError = z
  .object({
    reason: EndedReason,
    providerCode: text(1, 64).optional(),
    sipStatus: z.int().optional(),
    detail: text(0, 1_000).optional(),
  })
  .meta({ id: 'EndedError', description: 'The error that ended a call.' });
export type EndedError = z.infer<typeof EndedError>;

export const Direction = z.enum(['inbound', 'outbound']);
export type Direction = z.infer<typeof Direction>;
export const Channel = z.enum(['phone', 'widget', 'preview']);
export type Channel = z.infer<typeof Channel>;
export const Provider = z.enum(['TWILIO', 'TELNYX']);
export type Provider = z.infer<typeof Provider>;
export const OutboundCallMode = z.enum(['quick', 'batch']);
export type OutboundCallMode = z.infer<typeof OutboundCallMode>;
export const AnalysisStatus = z.enum(['pending', 'completed', 'failed', 'skipped']);
export type AnalysisStatus = z.infer<typeof AnalysisStatus>;

/** The outcome of a finished call, for statistics and retry rules. Null while the call is not finished. */
export const outcomeOf = (call: {
  readonly status: CallStatus;
  readonly endedReason: EndedReason | null;
  readonly answeredBy: AnsweredBy | null;
}): Outcome | null => {
  switch (call.status) {
    case 'completed':
      if (call.endedReason === 'call_transferred') return 'transferred';
      return call.endedReason === 'voicemail_reached' || call.answeredBy === 'machine_voicemail'
        ? 'voicemail'
        : 'answered';
    case 'no_answer':
    case 'busy':
    case 'failed':
    case 'cancelled':
      return call.status;
    default:
      return null;
  }
};
