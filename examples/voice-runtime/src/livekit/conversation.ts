// One conversation in a room: spoken and typed sentences go to the dialogue. The replies are spoken; both are written down.
import { type JobContext, voice } from '@livekit/agents';
import type { Dialogue } from '../dialogue.js';
import type { Turn } from '../protocol.js';
import type { Transcript } from '../transcript.js';
import type { Settings } from './settings.js';
import { PocketSphinx, speak } from './speech.js';

export interface Conversation {
  /** Resolves with the reason when the conversation is over. */
  readonly over: Promise<Ending>;
}

export interface Ending {
  readonly reason: 'agent_hangup' | 'user_hangup' | 'max_duration_reached' | 'error_runtime';
  readonly at: Date;
}

export interface ConversationOptions {
  readonly ctx: JobContext;
  readonly identity: string;
  readonly dialogue: Dialogue;
  readonly transcript: Transcript;
  readonly language: string;
  readonly answeredAt: Date;
  readonly longestMs: number;
  readonly settings: Settings;
}

/**
 * Gives each sentence that was heard to a function. The framework asks no model, because there is none. It has no
 * instructions either: the framework tells them to the person in the room who asks for them (topic `lk.agent.session`).
 */
class Listener extends voice.Agent {
  readonly #onHeard: (text: string) => void;

  constructor(onHeard: (text: string) => void) {
    super({ instructions: '' });
    this.#onHeard = onHeard;
  }

  override async onUserTurnCompleted(
    _: unknown,
    { textContent }: { readonly textContent: string | undefined },
  ): Promise<void> {
    if (textContent) this.#onHeard(textContent);
  }
}

/** Begins with the first message. */
export const converse = async (options: ConversationOptions): Promise<Conversation> => {
  const { ctx, dialogue, transcript, language, settings } = options;
  const nowMs = (): number => Math.max(0, Date.now() - options.answeredAt.getTime());
  const canHear = settings.hearing === 'local';
  const canSpeak = settings.speech === 'local';
  const session = new voice.AgentSession(
    canHear ? { stt: new PocketSphinx(), turnDetection: 'vad' } : { vad: null, turnDetection: 'manual' },
  );

  let end: (ending: Ending) => void = () => undefined;
  const over = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  const finish = (reason: Ending['reason']): void => end({ reason, at: new Date() });

  const say = async (text: string, sources?: Turn['sources']): Promise<void> => {
    const startMs = nowMs();
    const audio = canSpeak ? { audio: await speak(text, language) } : {};
    const speech = session.say(text, audio);
    await speech.waitForPlayout();
    const interrupted = speech.interrupted;
    transcript.add({
      ...{ role: 'agent', text, interrupted, startMs, endMs: nowMs(), language },
      ...(sources && { sources }),
    });
  };

  const answer = async (text: string, askedMs: number): Promise<void> => {
    transcript.add({ role: 'user', text, startMs: askedMs, endMs: askedMs, language });
    const startMs = nowMs();
    const { text: reply, isLast, toolCall, sources } = await dialogue.answer(text);
    if (toolCall !== undefined)
      transcript.add({ role: 'tool', text: '', startMs, endMs: nowMs(), language, toolCall });
    await say(reply, sources);
    if (isLast) finish('agent_hangup');
  };

  // One after the other: an answer may wait for a tool.
  let last: Promise<void> = Promise.resolve();
  const take = (text: string): void => {
    const askedMs = nowMs();
    last = last.then(() => answer(text, askedMs)).catch(() => finish('error_runtime'));
  };

  session.on(voice.AgentSessionEventTypes.Close, () => finish('user_hangup'));
  const timer = setTimeout(() => finish('max_duration_reached'), options.longestMs);
  void over.then(() => clearTimeout(timer));
  await session.start({
    agent: new Listener(take),
    room: ctx.room,
    inputOptions: {
      participantIdentity: options.identity,
      audioEnabled: canHear,
      textEnabled: true,
      textInputCallback: (_, { text }) => take(text),
    },
    outputOptions: { audioEnabled: canSpeak, transcriptionEnabled: true },
  });
  last = say(dialogue.opening()).catch(() => finish('error_runtime'));
  return { over };
};
