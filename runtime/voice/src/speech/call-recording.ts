// Whether a call is recorded, from when on, and what is reported of the consent to it.
import type { CallContext, RuntimeConfig } from '@parlance/contracts';
import { type ConsentFact, ConsentFirst } from '../turns/consent.js';
import { phrasesOf } from '../turns/phrases.js';
import type { ConversationPort } from '../turns/ports.js';
import { Recorder } from './recorder.js';

export interface CallRecording {
  /** The agent's conversation, behind the question for consent where there is one. */
  readonly conversation: ConversationPort;
  /** Undefined while nothing is recorded. */
  readonly recorder: Recorder | undefined;
  /** Said before the first words of the conversation; empty where nothing is announced. */
  readonly announcement: string;
  /** Null where nothing was asked or announced. */
  consent(answeredAt: Date | undefined): ConsentFact | null;
}

export interface CallRecordingOptions {
  readonly context: Pick<CallContext, 'consent' | 'language'>;
  readonly found: Pick<RuntimeConfig, 'config'>;
  readonly conversation: ConversationPort;
  /** Personal data is hidden. A recording would have it: none is made, so that nothing is announced or asked either. */
  readonly isRedacted: boolean;
}

export const recordingOf = ({
  context,
  found: { config },
  conversation,
  isRedacted,
}: CallRecordingOptions): CallRecording => {
  const { enabled, consent: kind, announcement } = config.recording;
  if (!enabled || isRedacted)
    return { conversation, recorder: undefined, announcement: '', consent: () => null };
  const recorder = new Recorder();
  if (kind === 'verbal') {
    let isAgreed = false;
    const language = context.language ?? config.agent_language;
    const asking = new ConsentFirst({
      conversation,
      language,
      phrases: phrasesOf(language),
      question: announcement,
      onAgreed: () => {
        isAgreed = true;
      },
    });
    return {
      conversation: asking,
      get recorder() {
        return isAgreed ? recorder : undefined;
      },
      announcement: '',
      consent: (answeredAt) => (answeredAt === undefined ? null : asking.fact),
    };
  }
  const isAnnounced = kind === 'announce' && announcement !== undefined;
  return {
    conversation,
    recorder,
    announcement: isAnnounced ? announcement : '',
    // The consent of a website's visitor says more than an announcement.
    consent: (answeredAt) =>
      isAnnounced && answeredAt !== undefined && context.consent === null
        ? { type: 'announce', granted: null, at: answeredAt.toISOString(), textVersion: null }
        : null,
  };
};
