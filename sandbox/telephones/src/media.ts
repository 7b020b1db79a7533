// The audio of all telephones: one UDP port, a packet every 20 ms for each call, and an ear for incoming packets.
import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { type HeardVoice, Hearing } from './hearing.js';
import type { Address } from './sip-message.js';
import { frameSamples, silence } from './tones.js';

const frameMs = 20;
const headerBytes = 12;
const versionTwo = 0x80;
const marker = 0x80;
const pcmu = 0;

export interface Programme {
  readonly once: Buffer;
  /** Audio that follows, over and over; empty for silence. */
  readonly again: Buffer;
}

interface Talk {
  readonly to: Address;
  readonly programme: Programme;
  readonly source: number;
  readonly hearing: Hearing;
  sent: number;
}

const stillness = silence(frameMs);

const frameOf = ({ once, again }: Programme, index: number): Buffer => {
  const start = index * frameSamples;
  if (start < once.length) return once.subarray(start, start + frameSamples);
  if (again.length === 0) return stillness;
  const within = (start - once.length) % again.length;
  return again.subarray(within, within + frameSamples);
};

const packet = (talk: Talk): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(versionTwo, 0);
  header.writeUInt8((talk.sent === 0 ? marker : 0) | pcmu, 1);
  header.writeUInt16BE(talk.sent & 0xffff, 2);
  header.writeUInt32BE((talk.sent * frameSamples) >>> 0, 4);
  header.writeUInt32BE(talk.source, 8);
  return Buffer.concat([header, frameOf(talk.programme, talk.sent)]);
};

export class Media {
  readonly #socket: Socket;
  readonly #talks = new Map<string, Talk>();
  readonly #timer: NodeJS.Timeout;
  readonly #began = performance.now();
  #ticks = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (datagram, { port }) => this.#hear(datagram, port));
    // An unreachable far end is noticed by signalling.
    socket.on('error', () => undefined);
    this.#timer = setInterval(() => this.#tick(), frameMs);
  }

  static open(): Promise<Media> {
    const socket = createSocket('udp4');
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, '127.0.0.1', () => resolve(new Media(socket)));
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Speaks into a call until `stop`; a call that speaks already goes on. */
  start(callId: string, to: Address, programme: Programme): void {
    if (this.#talks.has(callId)) return;
    const source = randomInt(2 ** 32);
    this.#talks.set(callId, { to, programme, source, hearing: new Hearing(), sent: 0 });
  }

  /** The digits that were heard in a call, so far. */
  heard(callId: string): string {
    return this.#talks.get(callId)?.hearing.heard ?? '';
  }

  voices(callId: string): readonly HeardVoice[] {
    return this.#talks.get(callId)?.hearing.voices ?? [];
  }

  stop(callId: string): void {
    this.#talks.delete(callId);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  /** Timers are late on a busy machine: every packet that is due is sent, and packets long overdue are left out. */
  #tick(): void {
    const due = Math.floor((performance.now() - this.#began) / frameMs);
    const frames = Math.min(due - this.#ticks, 10);
    this.#ticks = due;
    for (const talk of this.#talks.values()) {
      for (let frame = 0; frame < frames; frame += 1) {
        this.#socket.send(packet(talk), talk.to.port, talk.to.host);
        talk.sent += 1;
      }
    }
  }

  #hear(datagram: Buffer, port: number): void {
    if ((datagram[1] ?? 0) % 128 !== pcmu) return;
    for (const talk of this.#talks.values())
      if (talk.to.port === port) talk.hearing.hear(datagram.subarray(headerBytes));
  }
}
