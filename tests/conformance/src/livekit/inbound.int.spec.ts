// Who may call a number, at a real LiveKit: its server, its SIP service and Redis, with INVITEs from two addresses of loopback.
import { createHash, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { findLiveKit, freePort, type LiveKitServer, startLiveKitServer } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { createMediaRooms, type MediaRooms } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';

const binaries = findLiveKit();
/** Other systems than Linux have one address on loopback. */
const canRun = binaries !== undefined && process.platform === 'linux';
const burst = 1_000;
const startMs = 60_000;
const testMs = 120_000;

const carrier = '127.0.0.1';
const stranger = '127.0.0.2';
const phoneNumber = '+14155550142';
const username = 'carrier';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The answer to a digest challenge (RFC 2617), without a quality of protection or with `auth`. */
const digestAnswer = (challenge: string, uri: string, password: string): string => {
  const member = (name: string): string => new RegExp(`${name}="?([^",]+)"?`).exec(challenge)?.[1] ?? '';
  const [realm, nonce, opaque] = [member('realm'), member('nonce'), member('opaque')];
  const hasQop = member('qop') !== '';
  const [count, own] = ['00000001', randomBytes(8).toString('hex')];
  const middle = hasQop ? `${nonce}:${count}:${own}:auth` : nonce;
  const response = md5(`${md5(`${username}:${realm}:${password}`)}:${middle}:${md5(`INVITE:${uri}`)}`);
  const members = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    'algorithm=MD5',
    ...(opaque === '' ? [] : [`opaque="${opaque}"`]),
    ...(hasQop ? ['qop=auth', `nc=${count}`, `cnonce="${own}"`] : []),
  ];
  return `Digest ${members.join(', ')}`;
};

interface Call {
  readonly id: string;
  /** Sends the INVITE, again if it was sent before. UDP may have lost it. */
  readonly ring: () => void;
  /** The status lines that LiveKit has answered with. */
  readonly answers: readonly string[];
}

/** A telephone that only rings, from an address of its own. */
class Caller {
  readonly #socket: Socket;
  readonly #address: string;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #receivers = new Map<string, (message: string) => void>();

  private constructor(socket: Socket, address: string, sipAddress: string) {
    const [host = '', port] = sipAddress.split(':');
    this.#socket = socket;
    this.#address = address;
    this.#target = { host, port: Number(port) };
    socket.on('message', (bytes) => {
      const message = bytes.toString('latin1');
      this.#receivers.get(/^Call-ID: *(\S+)/im.exec(message)?.[1] ?? '')?.(message);
    });
  }

  static async at(address: string, sipAddress: string): Promise<Caller> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    return new Caller(socket, address, sipAddress);
  }

  /**
   * @param shown the host that the caller writes into its own address
   * @param password answers a challenge with it; a call without one gives up
   */
  call(shown: string, password?: string): Call {
    const { host, port } = this.#target;
    const local = `${this.#address}:${this.#socket.address().port}`;
    const token = randomBytes(8).toString('hex');
    const id = `${token}@${this.#address}`;
    const description = [
      'v=0',
      `o=caller 1 1 IN IP4 ${this.#address}`,
      's=-',
      `c=IN IP4 ${this.#address}`,
      't=0 0',
      'm=audio 40000 RTP/AVP 0',
      'a=rtpmap:0 PCMU/8000',
      '',
    ].join('\r\n');
    const uri = `sip:${phoneNumber}@${host}:${port}`;
    const invite = (sequence: number, authorization: readonly string[] = []): string =>
      [
        `INVITE ${uri} SIP/2.0`,
        `Via: SIP/2.0/UDP ${local};branch=z9hG4bK${token}${sequence};rport`,
        'Max-Forwards: 70',
        `From: <sip:+12125550123@${shown}>;tag=${token}`,
        `To: <${uri}>`,
        `Call-ID: ${id}`,
        `CSeq: ${sequence} INVITE`,
        ...authorization,
        `Contact: <sip:+12125550123@${local}>`,
        'Content-Type: application/sdp',
        `Content-Length: ${Buffer.byteLength(description)}`,
        '',
        description,
      ].join('\r\n');
    const send = (message: string): void => this.#socket.send(message, port, host);
    const answers: string[] = [];
    let message = invite(1);
    this.#receivers.set(id, (answer) => {
      answers.push(answer.split('\r\n', 1)[0] ?? '');
      const [, name = '', challenge] = /^(Proxy|WWW)-Authenticate: *(.+)$/im.exec(answer) ?? [];
      if (challenge === undefined || password === undefined || message !== invite(1)) return;
      const header = name.toLowerCase() === 'proxy' ? 'Proxy-Authorization' : 'Authorization';
      message = invite(2, [`${header}: ${digestAnswer(challenge, uri, password)}`]);
      send(message);
    });
    return { id, answers, ring: () => send(message) };
  }

  close(): void {
    this.#socket.close();
  }
}

(canRun ? describe : describe.skip)('a number at a real LiveKit', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-inbound-'));
  const callers: Caller[] = [];
  let server: LiveKitServer;
  let rooms: MediaRooms;

  beforeAll(async () => {
    if (binaries === undefined) throw new Error('LiveKit is not installed');
    const place = { port: await freePort(), apiKey: 'key', apiSecret: randomBytes(24).toString('hex') };
    server = await startLiveKitServer({
      ...place,
      binaries,
      dataDir: join(directory, 'data'),
      log: (program) => join(directory, `${program}.log`),
      webhookUrl: 'http://127.0.0.1:9',
    });
    rooms = createMediaRooms(
      {
        LIVEKIT_URL: `http://127.0.0.1:${place.port}`,
        LIVEKIT_API_KEY: place.apiKey,
        LIVEKIT_API_SECRET: new Secret(place.apiSecret),
        VOICE_AGENT_NAME: 'nobody',
      },
      { logger: createLogger({ service: 'test', level: 'silent' }) },
    );
  }, startMs);
  afterAll(async () => {
    for (const caller of callers) caller.close();
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const callerAt = async (address: string): Promise<Caller> => {
    const caller = await Caller.at(address, server.sipAddress);
    callers.push(caller);
    return caller;
  };
  const roomsOfCallers = async (): Promise<number> =>
    (await rooms.rooms()).filter(({ name }) => name.startsWith('in_')).length;

  /** LiveKit's bridge drops a call that no trunk allows without an answer, so its log says when it is done with one. */
  const dropped = async (calls: readonly Call[]): Promise<void> => {
    await eventually(() => {
      const log = readFileSync(join(directory, 'livekit-sip-inbound.log'), 'utf8');
      const closed = new Set(
        log
          .split('\n')
          .filter((line) => line.includes('Closing inbound call'))
          .map((line) => /"sipCallID": "([^"]+)"/.exec(line)?.[1]),
      );
      const open = calls.filter(({ id }) => !closed.has(id));
      for (const { ring } of open) ring();
      expect(open).toHaveLength(0);
    });
  };

  it(
    `has no room for ${burst} calls from an address that is not allowed, and one for a call of its carrier`,
    async () => {
      await rooms.routeInbound({ phoneNumber, name: 'test', allowedAddresses: [`${carrier}/32`] });
      const [scanner, telephone] = [await callerAt(stranger), await callerAt(carrier)];
      await dropped(
        Array.from({ length: burst }, (_, index) =>
          // Half of them write the carrier's address where a telephone writes its own.
          scanner.call(index % 2 === 0 ? stranger : carrier),
        ),
      );
      expect(await roomsOfCallers()).toBe(0);

      telephone.call(carrier).ring();
      await eventually(async () => expect(await roomsOfCallers()).toBe(1));
    },
    testMs,
  );

  it(
    'is closed to strangers once it is routed again, where it was open to everybody before',
    async () => {
      const scanner = await callerAt(stranger);
      const route = (...allowedAddresses: [string, ...string[]]) =>
        rooms.routeInbound({ phoneNumber, name: 'test', allowedAddresses });
      await route('0.0.0.0/0');
      const before = await roomsOfCallers();
      scanner.call(stranger).ring();
      await eventually(async () => expect(await roomsOfCallers()).toBe(before + 1));
      await route(`${carrier}/32`);
      await dropped([scanner.call(stranger)]);
      expect(await roomsOfCallers()).toBe(before + 1);
    },
    testMs,
  );

  it(
    'makes no room for a call of its carrier without credentials or with wrong ones, and one with the right ones',
    async () => {
      const telephone = await callerAt(carrier);
      const route = (credentials?: { username: string; password: Secret }) =>
        rooms.routeInbound({
          phoneNumber,
          name: 'test',
          allowedAddresses: [`${carrier}/32`],
          ...(credentials ? { credentials } : {}),
        });
      const password = randomBytes(12).toString('hex');
      await route({ username, password: new Secret(password) });
      const before = await roomsOfCallers();
      const [without, wrong] = [telephone.call(carrier), telephone.call(carrier, 'another-password')];
      for (const call of [without, wrong]) {
        await eventually(() => {
          call.ring();
          expect(call.answers).toContainEqual(expect.stringMatching(/^SIP\/2\.0 40[17] /));
        });
      }
      expect(await roomsOfCallers()).toBe(before);
      telephone.call(carrier, password).ring();
      await eventually(async () => expect(await roomsOfCallers()).toBe(before + 1));
      await route();
    },
    testMs,
  );
});
