// The signs of a conversation for a browser in the room, in the form of LiveKit's framework for agents. They are captions of both
// sides as text streams, the agent's state as an attribute, and typed words of the visitor.
import { randomUUID } from 'node:crypto';
import type { Room } from '@livekit/rtc-node';

export type AgentState = 'initializing' | 'listening' | 'thinking' | 'speaking';

export interface Captions {
  setState(state: AgentState): Promise<void>;
  /** Shows a sentence of the agent word by word while it sounds. Resolves when `spoken` has, with the whole sentence shown. */
  follow(text: string, durationMs: number, spoken: Promise<void>): Promise<void>;
  /** Shows a turn of the visitor. */
  heard(text: string): Promise<void>;
}

export interface CaptionsOptions {
  readonly room: Room;
  /** Id of the agent's track. */
  readonly agentTrack: string;
  /** Identity of the visitor, and the id of the visitor's track once there is one. */
  readonly visitor: () => { readonly identity: string; readonly track: string } | undefined;
}

const topics = { captions: 'lk.transcription', typed: 'lk.chat' } as const;
const stateAttribute = 'lk.agent.state';
const wordMs = 40;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Segment {
  readonly id: string;
  readonly track: string;
  readonly isFinal: boolean;
}

const attributesOf = ({ id, track, isFinal }: Segment): Record<string, string> => ({
  'lk.segment_id': id,
  'lk.transcription_final': String(isFinal),
  'lk.transcribed_track_id': track,
});

/** A room that is over takes no captions, and the end of the call is told elsewhere. */
const unlessGone = async (work: Promise<unknown>): Promise<void> => {
  await work.catch(() => undefined);
};

/** Gives each text that somebody in the room types to a function. */
export const onTyped = (room: Room, take: (text: string) => void): void =>
  room.registerTextStreamHandler(topics.typed, (reader) => {
    void unlessGone(reader.readAll().then((text) => text.trim() && take(text.trim())));
  });

export const createCaptions = ({ room, agentTrack, visitor }: CaptionsOptions): Captions => {
  const whole = async (text: string, segment: Segment, senderIdentity?: string): Promise<void> => {
    const writer = await room.localParticipant?.streamText({
      topic: topics.captions,
      attributes: attributesOf(segment),
      ...(senderIdentity === undefined ? {} : { senderIdentity }),
    });
    await writer?.write(text);
    await writer?.close();
  };
  const wordByWord = async (text: string, durationMs: number, segment: Segment): Promise<void> => {
    const writer = await room.localParticipant?.streamText({
      topic: topics.captions,
      attributes: attributesOf(segment),
    });
    const words = text.match(/\s*\S+/g) ?? [];
    for (const word of words) {
      await writer?.write(word);
      await pause(Math.max(wordMs, durationMs / words.length));
    }
    await writer?.close();
  };
  return {
    setState: (state) =>
      unlessGone(room.localParticipant?.setAttributes({ [stateAttribute]: state }) ?? Promise.resolve()),
    follow: async (text, durationMs, spoken) => {
      const segment = { id: `SG_${randomUUID()}`, track: agentTrack };
      await Promise.all([spoken, unlessGone(wordByWord(text, durationMs, { ...segment, isFinal: false }))]);
      await unlessGone(whole(text, { ...segment, isFinal: true }));
    },
    heard: async (text) => {
      const { identity, track = '' } = visitor() ?? {};
      await unlessGone(whole(text, { id: `SG_${randomUUID()}`, track, isFinal: true }, identity));
    },
  };
};
