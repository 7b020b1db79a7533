// Captions of both sides, from the text streams of a room. Captions of the agent grow by pieces. A line of the visitor is
// sent anew as a whole each time that it was understood better.
import type { Room, TextStreamReader } from 'livekit-client';
import type { ChannelEvents } from '../conversation/channel.js';
import type { Side } from '../conversation/transcript.js';

const topic = 'lk.transcription';
/** Attributes that LiveKit's agents write on such a stream. */
const attribute = {
  segment: 'lk.segment_id',
  final: 'lk.transcription_final',
  track: 'lk.transcribed_track_id',
} as const;

type Attributes = Readonly<Record<string, string>>;

const sideOf = (room: Room, identity: string, attributes: Attributes): Side => {
  const own = [...room.localParticipant.trackPublications.values()].map(({ trackSid }) => trackSid);
  const track = attributes[attribute.track];
  const isOwn = track === undefined ? identity === room.localParticipant.identity : own.includes(track);
  return isOwn ? 'visitor' : 'agent';
};

const follow = async (
  room: Room,
  reader: TextStreamReader,
  identity: string,
  events: ChannelEvents,
): Promise<void> => {
  const attributes = (): Attributes => reader.info.attributes ?? {};
  const side = sideOf(room, identity, attributes());
  const id = `${side}-${attributes()[attribute.segment] ?? reader.info.id}`;
  let text = '';
  for await (const piece of reader) {
    text += piece;
    if (text.trim() !== '') events.line({ id, side, text, final: false });
  }
  // A stream of the agent is one line, which is whole when the stream ends. LiveKit's framework for Node cannot change the attribute then.
  const isFinal = side === 'agent' || attributes()[attribute.final] !== 'false';
  if (text.trim() !== '') events.line({ id, side, text, final: isFinal });
};

/** To be called before the room is joined, so that no caption is missed. */
export const followCaptions = (room: Room, events: ChannelEvents): void => {
  room.registerTextStreamHandler(topic, (reader, { identity }) => {
    // A stream that breaks off with its sender leaves its line as it is.
    follow(room, reader, identity, events).catch(() => undefined);
  });
};
