// A participant of a room that keeps everything it is sent. The media server sends over the signalling connection, and the
// other participants send too.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SignalResponse } from '@livekit/protocol';
import { dispose, type Participant, Room, RoomEvent } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { type RawData, WebSocket } from 'ws';

export interface Witness {
  /** Everything that was sent so far, as text. */
  seen(): string;
  leave(): Promise<void>;
}

const joinWithinSeconds = 300;

const claimsOf = (token: string): string =>
  Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');

const describe = ({ identity, name, metadata, attributes }: Participant): object => ({
  ...{ identity, name, metadata, attributes },
});

/** Topics of text streams that agents use; the library passes over those without a handler. */
const topics = ['lk.transcription', 'lk.chat', 'lk.agent.events'];
/** Topic of byte streams on which LiveKit's framework for agents tells of its session. */
const sessionTopic = 'lk.agent.session';

/** Joins with the library that participants use. */
const joinRoom = async (url: string, token: string, note: (text: string) => void): Promise<Room> => {
  const room = new Room();
  room.on(RoomEvent.DataReceived, (payload, _, kind, topic) =>
    note(`${kind} ${topic} ${Buffer.from(payload).toString('utf8')}`),
  );
  room.on(RoomEvent.ChatMessage, (message) => note(JSON.stringify(message)));
  room.on(RoomEvent.RoomMetadataChanged, note);
  room.on(RoomEvent.ParticipantMetadataChanged, (metadata) => note(metadata ?? ''));
  room.on(RoomEvent.ParticipantNameChanged, note);
  room.on(RoomEvent.ParticipantAttributesChanged, (attributes) => note(JSON.stringify(attributes)));
  room.on(RoomEvent.ParticipantConnected, (participant) => note(JSON.stringify(describe(participant))));
  room.on(RoomEvent.TokenRefreshed, () => note(claimsOf(room.token ?? '')));
  /** The end of the room cuts off texts under way. */
  const keep = (topic: string, text: Promise<string>): Promise<void> =>
    text.then((all) => note(`${topic} ${all}`)).catch(() => undefined);
  for (const topic of topics)
    room.registerTextStreamHandler(topic, (reader) => {
      note(JSON.stringify(reader.info.attributes));
      return keep(topic, reader.readAll());
    });
  room.registerByteStreamHandler(sessionTopic, (reader) =>
    keep(
      sessionTopic,
      reader.readAll().then((parts) => Buffer.concat(parts).toString('utf8')),
    ),
  );
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  return room;
};

/** A second connection of the same kind, without media: each message of the server, whole. */
const joinSignalling = async (url: string, token: string, note: (text: string) => void) => {
  const socket = new WebSocket(
    `${url}/rtc?${new URLSearchParams({ access_token: token, auto_subscribe: '1', protocol: '15', sdk: 'js' })}`,
  );
  const joined = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: RawData) => {
      const { message } = SignalResponse.fromBinary(Buffer.from(data as Buffer));
      note(new SignalResponse({ message }).toJsonString());
      if (message.case === 'refreshToken') note(claimsOf(message.value));
      if (message.case === 'join') resolve();
    });
  });
  await joined;
  return {
    leave: async () => {
      // The server ends a connection where another one of the same identity joins.
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.terminate();
      await closed;
    },
  };
};

/** A token with the rights that a visitor of a website has. */
export const visitorToken = async (
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
  room: string,
): Promise<string> => {
  const token = new AccessToken(apiKey, apiSecret, {
    identity: `visitor_${randomUUID()}`,
    ttl: joinWithinSeconds,
  });
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  return token.toJwt();
};

/**
 * Joins a room twice, with a token for each connection. With one token for both, the second ends the first, which has
 * been told of the room by then.
 * @param url such as ws://127.0.0.1:7880
 */
export const witness = async (
  url: string,
  tokens: { readonly room: string; readonly signalling: string },
): Promise<Witness> => {
  const notes = [claimsOf(tokens.room), claimsOf(tokens.signalling)];
  const note = (text: string): void => void notes.push(text);
  const signalling = await joinSignalling(url, tokens.signalling, note);
  const room = await joinRoom(url, tokens.room, note);
  const present = (): Participant[] =>
    [...room.remoteParticipants.values(), room.localParticipant].filter((one) => one !== undefined);
  return {
    seen: () =>
      [...notes, room.metadata, claimsOf(room.token ?? ''), JSON.stringify(present().map(describe))].join(
        '\n',
      ),
    leave: async () => {
      await signalling.leave();
      await room.disconnect();
    },
  };
};

/** Ends the library's threads, which would keep the process alive. No room can be joined after that. */
export const endWitnesses = (): Promise<void> => dispose();
