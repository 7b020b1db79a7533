// The carrier between LiveKit and the telephones: every datagram of signalling passes through its one port. The carrier
// decides the behaviour of a called phone. It writes the ledger before the phone hears of a call, and starts and ends
// the audio. SIPp speaks SIP; the carrier hands datagrams on as they are, but for an INVITE that is repeated.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { CallEntry, Ledger } from '@parlance/fake-kit';
import { digitsOf, type Played, type Telephone, telephoneOf } from './behaviours.js';
import type { Media, Programme } from './media.js';
import { behaviourHeader } from './scenario.js';
import {
  type Address,
  answerTo,
  audioOf,
  readSip,
  type SipMessage,
  tagOf,
  withHeader,
} from './sip-message.js';
import { greetingAndBeep, spokenDigits } from './tones.js';
import { type CallFacts, ledgerEntryOf, type WireCall } from './wire-call.js';

export interface CarrierOptions {
  /** Undefined: a free one. */
  readonly port: number | undefined;
  readonly ledger: Ledger | undefined;
  readonly media: Media;
  /** More calls than this in one second are refused; undefined: as many as come. */
  readonly callsPerSecond: number | undefined;
}

const nothing = Buffer.alloc(0);
/** A telephone that is about to call in. */
interface CallingTelephone {
  readonly from: string;
  readonly to: string;
  readonly digits: string;
  /** PCMU that is played once, in the place of the digits. */
  readonly recording?: Buffer | undefined;
  readonly far: Address;
}

const saying = (digits: string): Programme => ({ once: nothing, again: spokenDigits(digits) });
const programmeOf = ({ says }: Telephone, number: string): Programme =>
  says === 'greeting-and-beep' ? { once: greetingAndBeep(), again: nothing } : saying(digitsOf(number));

const isInvite = ({ cseq }: SipMessage): boolean => cseq.endsWith(' INVITE');

export class Carrier {
  readonly #socket: Socket;
  readonly #options: CarrierOptions;
  readonly #calls = new Map<string, WireCall>();
  readonly #pacedOnce = new Set<string>();
  #lastDials: number[] = [];
  #telephones: Address | undefined;
  #closed = false;

  private constructor(socket: Socket, options: CarrierOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (datagram, sender) => this.#receive(datagram, sender));
    socket.on('error', () => undefined);
  }

  static open(options: CarrierOptions): Promise<Carrier> {
    const socket = createSocket('udp4');
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(options.port ?? 0, '127.0.0.1', () => resolve(new Carrier(socket, options)));
    });
  }

  get address(): Address {
    const { address, port } = this.#socket.address();
    return { host: address, port };
  }

  /** Calls are put through from now on. */
  connect(telephones: Address): void {
    this.#telephones = telephones;
  }

  get calls(): readonly CallFacts[] {
    return [...this.#calls.values()].map((call) => ({
      direction: call.direction,
      callId: call.callId,
      from: call.from,
      to: call.to,
      beganAt: call.beganAt,
      rangAt: call.rangAt,
      answeredAt: call.answeredAt,
      endedAt: call.endedAt,
      status: call.status,
      endedBy: call.endedBy,
      heard: call.endedAt === undefined ? this.#options.media.heard(call.callId) : call.heard,
      voices: call.endedAt === undefined ? this.#options.media.voices(call.callId) : call.voices,
    }));
  }

  /** A telephone is about to call in. */
  expect(callId: string, call: CallingTelephone): void {
    this.#calls.set(callId, {
      ...blank('from-telephone', callId, call.from, call.to),
      far: call.far,
      phone: undefined,
      audio: undefined,
      programme:
        call.recording === undefined ? saying(call.digits) : { once: call.recording, again: nothing },
      telephone: undefined,
      entry: undefined,
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#calls.values()].map(({ work }) => work));
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #receive(datagram: Buffer, sender: RemoteInfo): void {
    const message = readSip(datagram);
    if (message === undefined || this.#closed) return;
    const from = { host: sender.address, port: sender.port };
    const call = this.#calls.get(message.callId) ?? this.#begin(message, from);
    if (call === undefined) return;
    call.work = call.work
      .then(() =>
        from.port === call.far.port
          ? this.#toPhone(call, message, datagram)
          : this.#toFarEnd(call, message, datagram, from),
      )
      // A ledger that cannot be written to keeps the call from the phone.
      .catch(() => undefined);
  }

  /** The call of a first INVITE. Any other message outside a call gets an answer at once, or is dropped. */
  #begin(message: SipMessage, far: Address): WireCall | undefined {
    if (message.method !== 'INVITE' || tagOf(message.header('To')) !== undefined) {
      const status = message.method === 'OPTIONS' ? '200 OK' : '481 Call/Transaction Does Not Exist';
      if (message.method !== undefined && message.method !== 'ACK')
        this.#send(answerTo(message, status), far);
      return undefined;
    }
    const entry = ledgerEntryOf(message);
    const telephone = this.#telephoneFor(message.number);
    const call: WireCall = {
      ...blank('to-telephone', message.callId, entry.from, entry.to),
      far,
      phone: telephone.plays === undefined ? undefined : this.#telephones,
      audio: audioOf(message.body),
      programme: programmeOf(telephone, message.number),
      telephone,
      entry,
      work: this.#note(entry, 'dial'),
    };
    this.#calls.set(message.callId, call);
    return call;
  }

  #telephoneFor(number: string): Telephone {
    const telephone = telephoneOf(number);
    const overPace: Telephone = { plays: 'over-pace' satisfies Played, says: 'its-digits' };
    const { callsPerSecond } = this.#options;
    const now = performance.now();
    this.#lastDials = this.#lastDials.filter((at) => at > now - 1_000);
    if (callsPerSecond !== undefined && this.#lastDials.length >= callsPerSecond) return overPace;
    this.#lastDials.push(now);
    if (!telephone.isPacedOnce || this.#pacedOnce.has(number)) return telephone;
    this.#pacedOnce.add(number);
    return overPace;
  }

  #toPhone(call: WireCall, message: SipMessage, datagram: Buffer): void {
    if (call.direction === 'from-telephone') this.#followAnswer(call, message, audioOf(message.body));
    if (message.method === 'BYE' || message.method === 'CANCEL') this.#end(call, 'far-end');
    if (call.phone === undefined || isRepeated(call, message)) return;
    const isFirst = message.method === 'INVITE' && tagOf(message.header('To')) === undefined;
    const plays = call.telephone?.plays;
    this.#send(isFirst && plays ? withHeader(datagram, behaviourHeader, plays) : datagram, call.phone);
  }

  async #toFarEnd(call: WireCall, message: SipMessage, datagram: Buffer, from: Address): Promise<void> {
    call.phone ??= from;
    if (
      call.direction === 'to-telephone' &&
      isInvite(message) &&
      isRinging(message) &&
      call.rangAt === undefined
    ) {
      call.rangAt = Date.now();
      await this.#note(call.entry, 'ring');
    }
    if (call.telephone?.losesAnswer && isInvite(message) && message.status === 200) return;
    if (call.direction === 'to-telephone') this.#followAnswer(call, message, call.audio);
    if (message.method === 'BYE' || message.method === 'CANCEL') this.#end(call, 'telephone');
    this.#send(datagram, call.far);
  }

  /** The called side's answer to the INVITE: early media, an answer, or that there will be none. */
  #followAnswer(call: WireCall, message: SipMessage, audio: Address | undefined): void {
    if (message.status === undefined || !isInvite(message) || call.endedAt !== undefined) return;
    if (audio !== undefined && message.body !== '' && message.status < 300)
      this.#options.media.start(call.callId, audio, call.programme);
    if (message.status < 200) return;
    call.status ??= message.status;
    if (message.status < 300) call.answeredAt ??= Date.now();
    else this.#end(call, call.direction === 'to-telephone' ? 'telephone' : 'far-end');
  }

  #end(call: WireCall, by: 'telephone' | 'far-end'): void {
    if (call.endedAt !== undefined) return;
    call.endedAt = Date.now();
    call.endedBy = by;
    call.heard = this.#options.media.heard(call.callId);
    call.voices = this.#options.media.voices(call.callId);
    this.#options.media.stop(call.callId);
  }

  async #note(entry: WireCall['entry'], kind: CallEntry['kind']): Promise<void> {
    if (entry) await this.#options.ledger?.write({ kind, at: new Date().toISOString(), ...entry });
  }

  #send(datagram: Buffer, { host, port }: Address): void {
    if (!this.#closed) this.#socket.send(datagram, port, host);
  }
}

const isRinging = ({ status }: SipMessage): boolean => status !== undefined && status >= 180 && status < 300;

/** A proxy with state keeps a repeated INVITE to itself (RFC 3261, section 17.2.1). On loopback the phone has the first one. */
const isRepeated = (call: WireCall, message: SipMessage): boolean => {
  if (message.method !== 'INVITE') return false;
  const transaction = `${message.cseq} ${message.header('Via')}`;
  if (call.lastInvite === transaction) return true;
  call.lastInvite = transaction;
  return false;
};

const blank = (direction: CallFacts['direction'], callId: string, from: string, to: string) => ({
  direction,
  callId,
  from,
  to,
  beganAt: Date.now(),
  rangAt: undefined,
  answeredAt: undefined,
  endedAt: undefined,
  status: undefined,
  endedBy: undefined,
  heard: '',
  voices: [],
  lastInvite: undefined,
  work: Promise.resolve(),
});
