// One answer of the conversation: spoken while it grows, with its tools, its times and what it used.
import type { AgentVoice, Answer } from './agent-voice.js';
import type { CallClock } from './call-clock.js';
import type { CallReport, TurnTimes } from './call-report.js';
import type { ConversationPort, Heard, Utterance } from './ports.js';
import { TextStream } from './text-stream.js';

export interface AnswerOptions {
  readonly conversation: Pick<ConversationPort, 'answer' | 'model'>;
  readonly voice: AgentVoice;
  readonly report: CallReport;
  readonly clock: CallClock;
  /** An answer without a word is given up after this time. */
  readonly stuckMs: number;
}

/** The words of the caller, and when their turn was over. */
export interface Asked extends Heard {
  readonly takenAt: number;
}

export type AnswerOutcome =
  | { readonly kind: 'answered'; readonly ending: string | undefined }
  | { readonly kind: 'interrupted' }
  /** The failure is undefined when no word came in time. */
  | { readonly kind: 'unanswered'; readonly failure: unknown };

/** The vendor of a model's id, such as `openai` of `openai/gpt-4.1`. */
const vendorOf = (model: string): string => model.split('/')[0] ?? model;

const reportTimes = async (
  report: CallReport,
  utterance: Utterance,
  { voiceEndedAt, recognitionMs, takenAt }: Asked,
  firstTokenAt: number,
): Promise<void> => {
  const startedAt = await utterance.started;
  if (startedAt === undefined) return;
  const times: TurnTimes = {
    first_token: firstTokenAt - takenAt,
    first_sound: Math.max(0, startedAt - firstTokenAt),
  };
  if (voiceEndedAt === undefined) return report.times(times);
  report.times({
    end_of_turn: takenAt - voiceEndedAt,
    ...(recognitionMs === undefined ? {} : { recognition: recognitionMs }),
    ...times,
    response: Math.max(0, startedAt - voiceEndedAt),
  });
};

export const speakAnswer = async (
  text: string,
  asked: Asked,
  signal: AbortSignal,
  { conversation, voice, report, clock, stuckMs }: AnswerOptions,
): Promise<AnswerOutcome> => {
  let said = '';
  let stream: TextStream | undefined;
  let speaking: Promise<void> | undefined;
  const answer: Answer = { model: conversation.model };
  let ending: string | undefined;
  let firstTokenAt: number | undefined;
  let failure: unknown;
  const own = new AbortController();
  const watchdog = setTimeout(() => own.abort(), stuckMs);
  const startMs = clock.nowMs();
  try {
    for await (const event of conversation.answer(text, { signal: AbortSignal.any([signal, own.signal]) })) {
      if (signal.aborted) break;
      if (event.type === 'say') {
        clearTimeout(watchdog);
        said += event.delta;
        if (stream === undefined) {
          firstTokenAt ??= Date.now();
          stream = new TextStream();
          const utterance = voice.say(stream);
          void reportTimes(report, utterance, asked, firstTokenAt);
          speaking = voice.finish(utterance, {
            startMs,
            text: () => said,
            answer,
            askedAt: asked.voiceEndedAt,
          });
        }
        stream.push(event.delta);
      } else if (event.type === 'tool') {
        const nowMs = clock.nowMs();
        const durationMs = event.turn.toolCall?.durationMs ?? 0;
        report.turn({ ...event.turn, startMs: Math.max(0, nowMs - durationMs), endMs: nowMs });
      } else if (event.type === 'usage') {
        for (const [direction, quantity] of [
          ['input', event.inputTokens],
          ['output', event.outputTokens],
        ] as const)
          report.use({
            kind: 'llm',
            quantity,
            direction,
            unit: 'token',
            provider: vendorOf(event.model),
            model: event.model,
          });
      } else if (event.type === 'fellBack') {
        answer.model = event.to;
        const { from, to, reason } = event;
        answer.fallbacks = [...(answer.fallbacks ?? []), { kind: 'llm', from, to, reason }];
      } else if (event.type === 'sources') answer.sources = event.sources;
      else if (event.type === 'end') ending = event.reason;
    }
  } catch (error) {
    if (!signal.aborted) failure = error;
  } finally {
    clearTimeout(watchdog);
    stream?.close();
    await speaking;
  }
  if (signal.aborted) return { kind: 'interrupted' };
  if (failure !== undefined || own.signal.aborted) return { kind: 'unanswered', failure };
  return { kind: 'answered', ending };
};
