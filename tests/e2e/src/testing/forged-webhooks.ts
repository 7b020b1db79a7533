// Webhooks as the media server signs them, and every way to pretend to be it.
import { createHash, createHmac } from 'node:crypto';

export interface MediaServerKey {
  readonly key: string;
  readonly secret: string;
}

/** A delivery: the body, and its Authorization header. */
export interface Delivery {
  readonly body: string;
  readonly authorization: string | undefined;
}

const seconds = (): number => Math.floor(Date.now() / 1_000);
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Claims {
  readonly algorithm?: string;
  readonly hashOf?: string;
  readonly expiresIn?: number;
}

const tokenFor = (body: string, { key, secret }: MediaServerKey, claims: Claims = {}): string => {
  const { algorithm = 'HS256', hashOf = body, expiresIn = 300 } = claims;
  const now = seconds();
  const payload = {
    iss: key,
    nbf: now - 600,
    exp: now + expiresIn,
    sha256: createHash('sha256').update(hashOf).digest('base64'),
  };
  const signed = `${base64url({ alg: algorithm, typ: 'JWT' })}.${base64url(payload)}`;
  if (algorithm === 'none') return `${signed}.`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

/** "This room is over", which ends the call in it. */
const roomFinished = (room: string, createdAt = seconds()): string =>
  JSON.stringify({
    event: 'room_finished',
    id: `EV_${room}`,
    createdAt: String(createdAt),
    room: { name: room, sid: 'RM_forged', metadata: '' },
  });

/** The delivery that the media server itself would send. */
export const genuine = (room: string, key: MediaServerKey): Delivery => {
  const body = roomFinished(room);
  return { body, authorization: tokenFor(body, key) };
};

/** Every forgery, by its fault. */
export const forgeries: Readonly<Record<string, (room: string, key: MediaServerKey) => Delivery>> = {
  'no signature': (room) => ({ body: roomFinished(room), authorization: undefined }),
  'an empty signature': (room) => ({ body: roomFinished(room), authorization: '' }),
  'nonsense for a signature': (room) => ({ body: roomFinished(room), authorization: 'Bearer nonsense' }),
  'another secret': (room, { key }) => {
    const body = roomFinished(room);
    return { body, authorization: tokenFor(body, { key, secret: 'another'.repeat(8) }) };
  },
  'the key of another project': (room, { secret }) => {
    const body = roomFinished(room);
    return { body, authorization: tokenFor(body, { key: 'APIother', secret }) };
  },
  'the hash of another body': (room, key) => {
    const body = roomFinished(room);
    return { body, authorization: tokenFor(body, key, { hashOf: roomFinished('another') }) };
  },
  'alg none': (room, key) => {
    const body = roomFinished(room);
    return { body, authorization: tokenFor(body, key, { algorithm: 'none' }) };
  },
  'a token that has expired': (room, key) => {
    const body = roomFinished(room);
    return { body, authorization: tokenFor(body, key, { expiresIn: -300 }) };
  },
  'an event of ten minutes ago': (room, key) => {
    const body = roomFinished(room, seconds() - 600);
    return { body, authorization: tokenFor(body, key) };
  },
  'an event of ten minutes ahead': (room, key) => {
    const body = roomFinished(room, seconds() + 600);
    return { body, authorization: tokenFor(body, key) };
  },
  'a space after the body that was signed': (room, key) => {
    const { body, authorization } = genuine(room, key);
    return { body: `${body} `, authorization };
  },
};

/** Another character at this place. */
const flipped = (text: string, place: number): string => {
  const other = text[place] === 'A' ? 'B' : 'A';
  return `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
};

/**
 * As many different forgeries as are asked for. They are the pretences above in turn, and genuine deliveries with one
 * changed character of the body or the token. `random` chooses the place.
 */
export const manyForgeries = (
  count: number,
  room: string,
  key: MediaServerKey,
  random: (below: number) => number,
): Delivery[] => {
  const named = Object.values(forgeries);
  return Array.from({ length: count }, (_, n): Delivery => {
    const forge = named[n % (named.length * 2)];
    if (forge !== undefined) return forge(room, key);
    const { body, authorization = '' } = genuine(room, key);
    if (n % 2 === 0) return { body: flipped(body, random(body.length)), authorization };
    // The last character of a signature has bits that mean nothing.
    return { body, authorization: flipped(authorization, random(authorization.length - 1)) };
  });
};
