// One conversation in a room: the ear and the mouth around the framework's session, and the turns between them.

import type { ReadableStream } from 'node:stream/web';
import { type JobContext, type VAD, voice } from '@livekit/agents';
import {
  type AudioFrame,
  DisconnectReason,
  ParticipantKind,
  type RemoteParticipant,
  RoomEvent,
} from '@livekit/rtc-node';
import type { EndOfTurn } from '../speech/end-of-turn-model.js';
import type { PhraseBook } from '../speech/phrase-book.js';
import type { Recognition, Speech } from '../speech/providers.js';
import type { CallReport } from '../turns/call-report.js';
import { phrasesOf } from '../turns/phrases.js';
import type { ConversationPort, Ending } from '../turns/ports.js';
import { TextStream } from '../turns/text-stream.js';
import { defaultTurnSettings } from '../turns/turn-settings.js';
import { Turns } from '../turns/turns.js';
import { listeningHint } from '../turns/words.js';
import { Ear, EarOfSession } from './ear.js';
import { spokenRate, VoiceMouth } from './mouth.js';

export interface RoomCallOptions {
  readonly ctx: JobContext;
  readonly conversation: ConversationPort;
  readonly report: CallReport;
  readonly language: string;
  readonly maxDurationMs: number;
  readonly silenceMs: number;
  /** The two parts of a spoken conversation; without them it is written. */
  readonly recognition: Recognition | undefined;
  /** Words that are expected of the caller; undefined where anything may be said. */
  readonly hint: () => string | undefined;
  readonly speech: Speech | undefined;
  readonly endOfTurn: EndOfTurn | undefined;
  readonly book: PhraseBook;
  readonly vad: VAD;
  readonly onHeard?: (frame: AudioFrame) => void;
  readonly onSpoken?: (frame: AudioFrame) => void;
}

/** The agent asks whether anybody is there after this part of the silence that ends a call, and after 15 seconds at most. */
const promptShare = 1 / 3;

/** Between a tool's filler and the rest of the answer: a tool takes a minute at most. The framework cuts the speech off later. */
const longestGapMs = 70_000;
const latestPromptMs = 15_000;

/** Audio that is ahead of the playback. A pause discards it, so it is what a listener's "mm-hm" takes out of a sentence. */
const queueSizeMs = 100;

/** A listener's "mm-hm, okay", with the audio before and behind it that is recognized too. A real interruption is longer in most cases. */
const longestListeningMs = 1_600;

/**
 * Has no instructions: the framework tells them to the person in the room who asks for them (topic `lk.agent.session`).
 */
class RoomAgent extends voice.Agent {
  readonly #listen: (audio: Parameters<Ear['listen']>[0]) => ReturnType<Ear['listen']>;

  constructor(listen: RoomAgent['listen']) {
    super({ instructions: '' });
    this.#listen = listen;
  }

  get listen(): (audio: Parameters<Ear['listen']>[0]) => ReturnType<Ear['listen']> {
    return this.#listen;
  }

  override async sttNode(
    audio: ReadableStream<AudioFrame> | AsyncIterable<AudioFrame>,
  ): Promise<ReturnType<Ear['listen']>> {
    return this.#listen(audio);
  }
}

const hangUps: readonly (DisconnectReason | undefined)[] = [
  DisconnectReason.CLIENT_INITIATED,
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.USER_REJECTED,
];

/** False where the connection was lost: that person may come back. */
const hasHungUp = ({ disconnectReason }: RemoteParticipant): boolean => hangUps.includes(disconnectReason);

export interface RoomCall {
  /** Begins with the first message. @returns the end of the conversation */
  converse(answer: {
    readonly person: RemoteParticipant;
    readonly answeredAt: Date;
    readonly text: string;
  }): Promise<Ending>;
}

/** Opens ear and mouth while the telephone rings, so that the first message can be spoken as soon as it is answered. */
export const joinCall = async (options: RoomCallOptions): Promise<RoomCall> => {
  const { ctx, conversation, report, language, recognition, speech } = options;
  const session = new voice.AgentSession({
    ...(recognition === undefined ? {} : { stt: new EarOfSession() }),
    // The ear has its own, and `Turns` decides.
    vad: null,
    userAwayTimeout: null,
    aecWarmupDuration: null,
    forwardAudioIdleTimeout: longestGapMs,
    turnHandling: {
      turnDetection: 'manual',
      interruption: { resumeFalseInterruption: false, discardAudioIfUninterruptible: false },
      preemptiveGeneration: { enabled: false },
    },
  });
  const mouth = new VoiceMouth({
    session,
    speech,
    language,
    wholeAt: (text) => options.book.prefixOf(text),
    ...(options.onSpoken === undefined ? {} : { onAudio: options.onSpoken }),
  });
  const turns = new Turns({
    conversation,
    mouth,
    report,
    language,
    phrases: phrasesOf(language),
    settings: {
      ...defaultTurnSettings,
      silencePromptMs: Math.min(latestPromptMs, options.silenceMs * promptShare),
      silenceEndMs: options.silenceMs,
    },
  });
  if (recognition !== undefined)
    recognition.hint = (audioMs) =>
      turns.isSpokenOver && audioMs <= longestListeningMs ? listeningHint(language) : options.hint();
  const ear =
    recognition &&
    new Ear({
      vad: options.vad,
      recognition,
      endOfTurn: options.endOfTurn,
      language,
      report,
      ...(options.onHeard === undefined ? {} : { onAudio: options.onHeard }),
    });
  session.on(voice.AgentSessionEventTypes.Close, () => turns.finish('user_hangup'));
  await session.start({
    agent: new RoomAgent((audio) => {
      if (ear === undefined) throw new Error('there is no recognition');
      return ear.listen(audio, turns);
    }),
    room: ctx.room,
    record: false,
    inputOptions: {
      participantKinds: [ParticipantKind.SIP, ParticipantKind.STANDARD],
      audioEnabled: ear !== undefined,
      audioSampleRate: 16_000,
      textEnabled: true,
      textInputCallback: (_, { text }) => turns.typed(text),
    },
    outputOptions: {
      audioEnabled: speech !== undefined,
      audioSampleRate: spokenRate,
      queueSizeMs,
      transcriptionEnabled: true,
    },
  });
  return {
    converse: async ({ person, answeredAt, text }) => {
      const onKey = (_code: number, digit: string, { identity }: RemoteParticipant): void => {
        if (identity === person.identity) turns.key(digit);
      };
      const onLeft = (): void => turns.finish('user_hangup');
      const onParticipantLeft = (participant: RemoteParticipant): void => {
        if (participant.identity === person.identity && hasHungUp(participant)) onLeft();
      };
      ctx.room.on(RoomEvent.DtmfReceived, onKey);
      // The session closes once its speech has ended, which takes a minute where nobody is there to subscribe to it.
      ctx.room.on(RoomEvent.ParticipantDisconnected, onParticipantLeft);
      ctx.room.once(RoomEvent.Disconnected, onLeft);
      const timer = setTimeout(() => turns.finish('max_duration_reached'), options.maxDurationMs);
      const first = new TextStream();
      first.push(text);
      first.close();
      try {
        turns.open(text, mouth.say(first), answeredAt);
      } catch {
        // A session that is closing speaks no more: the caller has hung up by now.
        onLeft();
      }
      if (hasHungUp(person)) onLeft();
      try {
        return await turns.over;
      } finally {
        clearTimeout(timer);
        ear?.close();
        ctx.room.off(RoomEvent.DtmfReceived, onKey);
        ctx.room.off(RoomEvent.ParticipantDisconnected, onParticipantLeft);
        ctx.room.off(RoomEvent.Disconnected, onLeft);
      }
    },
  };
};
