// A telephone that calls in: SIP and RTP on loopback. It notes the time of each packet that it sends and hears, so that figures come
// from what a caller's own line carried.
import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { answerTo, audioOf, decodePcmu, encodePcmu, readSip, type SipMessage } from '@parlance/telephones';
import { isAudible, pauseMs, Sounds } from '../sound/sounds.js';
import { frameMs, frameSamples, keyPayloads, pcmu, readPacket, telephoneEvent, writePacket } from './rtp.js';

const host = '127.0.0.1';
const silence = Buffer.alloc(frameSamples, encodePcmu(0));
const inviteRepeatMs = 500;
const answerWithinMs = 60_000;
const pollMs = 10;
const keyGapFrames = 4;

const token = (): string => randomBytes(8).toString('hex');
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Milliseconds of a clock that is not set back. */
export const now = (): number => performance.timeOrigin + performance.now();

const bound = async (): Promise<Socket> => {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  // An unreachable far end is noticed by signalling.
  socket.on('error', () => undefined);
  return socket;
};

interface Frame {
  readonly payloadType: number;
  readonly payload: Uint8Array;
  /** Frames since the event began; 0 for audio. */
  readonly eventFrame: number;
  readonly onSent?: (at: number) => void;
}

/** When the first and the last packet of what was sent left. */
export interface Sent {
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Dialled {
  readonly from: string;
  readonly to: string;
  /** Host and port of the SIP service. */
  readonly sipAddress: string;
}

export class Telephone {
  /** What the far end says. */
  readonly sounds = new Sounds(frameMs);
  /** Packets of audio that arrived. */
  packets = 0;
  answeredAt = 0;
  endedAt: number | undefined;
  readonly #call: Dialled;
  readonly #far: { readonly host: string; readonly port: number };
  readonly #signalling: Socket;
  readonly #media: Socket;
  readonly #callId = `${token()}@${host}`;
  readonly #tag = token();
  readonly #source = randomInt(2 ** 32);
  readonly #queue: Frame[] = [];
  #sent = 0;
  #audio: { readonly host: string; readonly port: number } | undefined;
  #target = '';
  #to = '';
  #ticker: NodeJS.Timeout | undefined;
  #settle: (error?: Error) => void = () => undefined;
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;

  private constructor(call: Dialled, signalling: Socket, media: Socket) {
    const [address = host, port] = call.sipAddress.split(':');
    this.#call = call;
    this.#far = { host: address, port: Number(port) };
    this.#signalling = signalling;
    this.#media = media;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    signalling.on('message', (datagram) => this.#receive(datagram));
    media.on('message', (datagram) => this.#hear(datagram));
  }

  /** Resolves when the call is answered. @throws Error for a call that is refused or not answered */
  static async call(call: Dialled): Promise<Telephone> {
    const [signalling, media] = await Promise.all([bound(), bound()]);
    const telephone = new Telephone(call, signalling, media);
    try {
      await telephone.#invite();
    } catch (error) {
      telephone.#close();
      throw error;
    }
    return telephone;
  }

  get isOver(): boolean {
    return this.endedAt !== undefined;
  }

  /** Resolves when either side has hung up. */
  get over(): Promise<void> {
    return this.#ended;
  }

  /** Resolves when the voice has ended. */
  speak(samples: Int16Array): Promise<Sent> {
    const coded = Buffer.from(Uint8Array.from(samples, encodePcmu));
    const frames: Frame[] = [];
    for (let at = 0; at < coded.length; at += frameSamples) {
      const payload = Buffer.from(silence);
      coded.copy(payload, 0, at, at + frameSamples);
      frames.push({ payloadType: pcmu, payload, eventFrame: 0 });
    }
    return this.#send(frames);
  }

  /** Resolves when the last key is released. */
  press(digits: string): Promise<Sent> {
    const gap = Array.from({ length: keyGapFrames }, () => ({
      payloadType: pcmu,
      payload: silence,
      eventFrame: 0,
    }));
    const frames = [...digits].flatMap((key): readonly Frame[] => [
      ...keyPayloads(key).map((payload, eventFrame) => ({
        payloadType: telephoneEvent,
        payload,
        eventFrame,
      })),
      ...gap,
    ]);
    return this.#send(frames);
  }

  /** The agent's first sound after a time. */
  async soundAfter(time: number, withinMs = 15_000): Promise<number | undefined> {
    const deadline = now() + withinMs;
    while (now() < deadline && !this.isOver) {
      const found = this.sounds.firstAfter(time);
      if (found !== undefined) return found;
      await delay(pollMs);
    }
    return this.sounds.firstAfter(time);
  }

  /** Waits until the agent has been silent for `leastMs`. */
  async silent(leastMs: number, withinMs = 60_000): Promise<void> {
    const deadline = now() + withinMs;
    while (now() < deadline && !this.isOver && this.sounds.silentFor(now()) < leastMs) await delay(pollMs);
  }

  isSpeaking(): boolean {
    return this.sounds.silentFor(now()) < pauseMs;
  }

  /** Ends the call as the caller does. */
  async hangUp(): Promise<void> {
    if (!this.isOver) {
      this.#request('BYE', 2, this.#to);
      this.#finish();
    }
    // The answer to the BYE has no reader.
    await delay(frameMs);
    this.#close();
  }

  #send(frames: readonly Frame[]): Promise<Sent> {
    return new Promise((resolve) => {
      let startedAt = now();
      const sent = (endedAt: number): void => resolve({ startedAt, endedAt });
      if (frames.length === 0 || this.isOver) return sent(startedAt);
      for (const [index, frame] of frames.entries())
        this.#queue.push({
          ...frame,
          onSent: (at) => {
            if (index === 0) startedAt = at;
            if (index === frames.length - 1) sent(at);
          },
        });
      void this.#ended.then(() => sent(now()));
    });
  }

  async #invite(): Promise<void> {
    const answered = new Promise<void>((resolve, reject) => {
      this.#settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    const { to, sipAddress } = this.#call;
    this.#target = `sip:${to}@${sipAddress}`;
    const branch = token();
    const invite = (): void => this.#request('INVITE', 1, `<${this.#target}>`, branch);
    invite();
    const again = setInterval(invite, inviteRepeatMs);
    const late = setTimeout(
      () => this.#settle(new Error(`${to} did not answer within ${answerWithinMs} ms`)),
      answerWithinMs,
    );
    this.#stopRepeating = () => clearInterval(again);
    try {
      await answered;
    } finally {
      clearInterval(again);
      clearTimeout(late);
    }
  }

  #stopRepeating: () => void = () => undefined;

  #request(method: 'INVITE' | 'ACK' | 'BYE', sequence: number, to: string, branch = token()): void {
    const local = this.#signalling.address();
    const description = method === 'INVITE' ? this.#description() : '';
    const lines = [
      `${method} ${this.#target} SIP/2.0`,
      `Via: SIP/2.0/UDP ${host}:${local.port};branch=z9hG4bK${branch};rport`,
      'Max-Forwards: 70',
      `From: <sip:${this.#call.from}@${host}:${local.port}>;tag=${this.#tag}`,
      `To: ${to}`,
      `Call-ID: ${this.#callId}`,
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:${this.#call.from}@${host}:${local.port}>`,
      ...(description === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${description.length}`,
      '',
      description,
    ];
    this.#transmit(lines.join('\r\n'));
  }

  #description(): string {
    return [
      'v=0',
      `o=telephone 1 1 IN IP4 ${host}`,
      's=-',
      `c=IN IP4 ${host}`,
      't=0 0',
      `m=audio ${this.#media.address().port} RTP/AVP ${pcmu} ${telephoneEvent}`,
      `a=rtpmap:${pcmu} PCMU/8000`,
      `a=rtpmap:${telephoneEvent} telephone-event/8000`,
      `a=fmtp:${telephoneEvent} 0-16`,
      `a=ptime:${frameMs}`,
      'a=sendrecv',
      '',
    ].join('\r\n');
  }

  #transmit(message: string | Buffer): void {
    this.#signalling.send(message, this.#far.port, this.#far.host);
  }

  #receive(datagram: Buffer): void {
    const message = readSip(datagram);
    if (message === undefined || message.callId !== this.#callId) return;
    if (message.method !== undefined) this.#answer(message);
    else if (message.cseq.endsWith(' INVITE')) this.#follow(message);
  }

  #answer(request: SipMessage): void {
    if (request.method === 'ACK') return;
    const ok = answerTo(request, '200 OK').toString();
    // The far end may describe its audio anew.
    const description = request.method === 'INVITE' ? this.#description() : '';
    const local = this.#signalling.address();
    this.#transmit(
      description === ''
        ? ok
        : ok.replace(
            'Content-Length: 0\r\n\r\n',
            `Contact: <sip:${this.#call.from}@${host}:${local.port}>\r\nContent-Type: application/sdp\r\nContent-Length: ${description.length}\r\n\r\n${description}`,
          ),
    );
    if (request.method === 'BYE') this.#finish();
  }

  #follow(response: SipMessage): void {
    const status = response.status ?? 0;
    this.#stopRepeating();
    if (status < 200) return;
    this.#to = response.header('To') ?? '';
    if (status >= 300) {
      this.#request('ACK', 1, this.#to);
      this.#settle(new Error(`the call was refused with ${status}`));
      return;
    }
    const contact = /<([^>]+)>/.exec(response.header('Contact') ?? '')?.[1];
    if (contact !== undefined) this.#target = contact;
    this.#request('ACK', 1, this.#to);
    const audio = audioOf(response.body);
    if (this.answeredAt !== 0 || audio === undefined) return;
    this.#audio = audio;
    this.answeredAt = now();
    this.#talk();
    this.#settle();
  }

  /** A packet every 20 ms until the end. Timers are late on a busy machine: every packet that is due is sent. */
  #talk(): void {
    const began = performance.now();
    let ticks = 0;
    this.#ticker = setInterval(() => {
      const due = Math.floor((performance.now() - began) / frameMs);
      for (; ticks < due; ticks += 1) this.#sendFrame();
    }, frameMs / 2);
  }

  #sendFrame(): void {
    if (this.#audio === undefined || this.isOver) return;
    const frame: Frame = this.#queue.shift() ?? { payloadType: pcmu, payload: silence, eventFrame: 0 };
    const isEvent = frame.payloadType === telephoneEvent;
    const packet = writePacket({
      payloadType: frame.payloadType,
      isFirst: this.#sent === 0 || (isEvent && frame.eventFrame === 0),
      sequence: this.#sent,
      timestamp: (this.#sent - frame.eventFrame) * frameSamples,
      source: this.#source,
      payload: frame.payload,
    });
    this.#media.send(packet, this.#audio.port, this.#audio.host);
    this.#sent += 1;
    frame.onSent?.(now());
  }

  #hear(datagram: Buffer): void {
    const packet = readPacket(datagram);
    if (packet?.payloadType !== pcmu) return;
    this.packets += 1;
    if (isAudible(Int16Array.from(packet.payload, decodePcmu))) this.sounds.heard(now());
  }

  #finish(): void {
    this.endedAt ??= now();
    clearInterval(this.#ticker);
    this.#settle(new Error('the call ended before it was answered'));
    this.#end();
  }

  #close(): void {
    this.#finish();
    for (const socket of [this.#signalling, this.#media])
      try {
        socket.close();
      } catch {
        // Closed before.
      }
  }
}
