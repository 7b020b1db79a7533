// Dialling out: one simulated phone per request, nothing remembered of earlier ones. As with the real server, the same
// request twice rings twice.
import { randomBytes } from 'node:crypto';
import type { Ledger } from '@parlance/fake-kit';
import { calleeOf, troubleOf } from './callee.js';
import {
  noSipService,
  reasonOf,
  refusal,
  ringingIsOver,
  roomAbsent,
  unreadableAddress,
  waitedTooLong,
} from './dial-answers.js';
import type { LiveKitFaults } from './faults.js';
import { type DisconnectReason, type Participant, type Room } from './room-model.js';
import { type Rooms } from './rooms.js';
import type { SipObjects } from './sip-objects.js';
import { TwirpError } from './twirp.js';

export interface DialRequest {
  readonly trunkId: string;
  readonly to: string;
  readonly from: string;
  readonly room: string;
  readonly identity: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly metadata: string;
  readonly ringingTimeoutMs: number;
  /** From the dial on; a call without it has no end of its own. */
  readonly longestMs: number | undefined;
  readonly waitUntilAnswered: boolean;
}

export interface SipParticipantInfo {
  readonly participantId: string;
  readonly participantIdentity: string;
  readonly roomName: string;
  readonly sipCallId: string;
}

/** `hang`: the work was done and its client gets no answer; `reset` and `refuse`: the connection is torn or closed. */
export type DialAnswer = SipParticipantInfo | 'hang' | 'reset' | 'refuse';

export interface SipParts {
  readonly rooms: Rooms;
  readonly ledger: Ledger;
  readonly faults: LiveKitFaults;
  readonly objects: SipObjects;
  /** The simulated people are this many times as fast as real ones. */
  readonly timeScale: number;
  /** The longest that the server waits for the callee, even if the ringing time of the dial is longer. */
  readonly longestWaitMs: number;
}

const pause = (ms: number, signal?: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });

/** As Twilio says it. */
const calledTooOften = (): TwirpError => refusal(503, 'CPS limit exceeded');
/** A server looks so long for a SIP service. */
const sipServiceSearchMs = 1_000;
const rateLimitMemoryMs = 10 * 60_000;
const vainWaitMs = 20_000;

interface Line {
  readonly room: Room;
  readonly participant: Participant;
  readonly info: SipParticipantInfo;
  readonly hungUp: AbortController;
}

export class Sip {
  readonly #parts: SipParts;
  readonly #limited = new Map<string, number>();

  constructor(parts: SipParts) {
    this.#parts = parts;
  }

  async dial(request: DialRequest): Promise<DialAnswer> {
    const { ledger, faults, rooms, objects } = this.#parts;
    const fault = faults.take('sip');
    if (fault.mode === 'refuse') return 'refuse';
    if (fault.mode === 'reset-before') return 'reset';
    if (!objects.outbound.get(request.trunkId))
      throw new TwirpError('not_found', 'requested sip trunk does not exist');
    await this.#findSipService();
    const sipCallId = `SCL_${randomBytes(9).toString('base64url')}`;
    const { to, from, room, identity, trunkId } = request;
    const entry = { room, identity, to, from, trunkId, sipCallId };
    await ledger.write({ kind: 'dial', at: new Date().toISOString(), ...entry });
    const trouble = troubleOf(to);
    if (fault.mode === '4xx')
      throw new TwirpError(
        'invalid_argument',
        'SipCallTo should be a phone number or SIP user, not a full SIP URI',
      );
    if (fault.mode === '429') throw calledTooOften();
    if (trouble === 'rate-limit-once' && this.#firstTry(to)) throw refusal(429, 'Too Many Requests');
    if (fault.mode === '5xx-before' || trouble === 'error-before')
      throw new TwirpError('internal', 'provider failed');
    if (fault.mode === 'slow') await pause(fault.ms);
    const [place] = rooms.list([room]);
    if (!place) throw roomAbsent();
    const line = this.#pickUp(place, request, sipCallId);
    if (request.longestMs !== undefined) this.#limit(line, request.longestMs);
    const connected = this.#connect(line, request, () =>
      ledger.write({ kind: 'ring', at: new Date().toISOString(), ...entry }),
    );
    if (fault.mode === 'hang-after' || trouble === 'hang-after') {
      void connected.catch(() => undefined);
      return 'hang';
    }
    if (fault.mode === 'reset-after' || fault.mode === '5xx-after') {
      void connected.catch(() => undefined);
      if (fault.mode === 'reset-after') return 'reset';
      throw new TwirpError('internal', 'provider failed');
    }
    if (request.waitUntilAnswered) await this.#inTime(line, connected);
    else void connected.catch(() => undefined);
    return line.info;
  }

  /**
   * A dial to an address instead of through a trunk. The SIP service cannot read one with such a port; others are not
   * simulated.
   */
  async dialWithout(address: string): Promise<never> {
    await this.#findSipService();
    const port = address.split(':')[1];
    if (port !== undefined && !/^\d+$/.test(port)) throw unreadableAddress(port);
    throw new TwirpError('unimplemented', 'simulated phones are called through a trunk');
  }

  async #findSipService(): Promise<void> {
    if (this.#parts.faults.take('sipService').mode === 'ok') return;
    await pause(sipServiceSearchMs);
    throw noSipService();
  }

  /** The server takes the call back after its longest wait, even while the callee's phone still rings. */
  async #inTime(line: Line, connected: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        line.hungUp.abort();
        this.#drop(line, 'USER_UNAVAILABLE');
        reject(waitedTooLong());
      }, this.#parts.longestWaitMs).unref();
    });
    connected.catch(() => undefined);
    await Promise.race([connected, tooLong]).finally(() => clearTimeout(timer));
  }

  /** True once per number in ten minutes. */
  #firstTry(number: string): boolean {
    const last = this.#limited.get(number) ?? Number.NEGATIVE_INFINITY;
    if (Date.now() - last < rateLimitMemoryMs) {
      this.#limited.delete(number);
      return false;
    }
    this.#limited.set(number, Date.now());
    return true;
  }

  #pickUp(room: Room, request: DialRequest, sipCallId: string): Line {
    const hungUp = new AbortController();
    const participant = this.#parts.rooms.join(room, {
      identity: request.identity,
      kind: 'SIP',
      metadata: request.metadata,
      attributes: {
        ...request.attributes,
        'sip.callID': sipCallId,
        'sip.callStatus': 'dialing',
        'sip.hostname': this.#parts.objects.outbound.get(request.trunkId)?.address ?? '',
        'sip.phoneNumber': request.to,
        'sip.trunkPhoneNumber': request.from,
        'sip.trunkID': request.trunkId,
      },
      onRemoved: () => hungUp.abort(),
    });
    const info = {
      participantId: participant.sid,
      participantIdentity: request.identity,
      roomName: room.name,
      sipCallId,
    };
    return { room, participant, info, hungUp };
  }

  /** Resolves when the phone is answered, rejects with the SIP status when it is not. */
  async #connect(line: Line, request: DialRequest, ring: () => Promise<void>): Promise<void> {
    const callee = calleeOf(request.to);
    const rings = callee.does !== 'refuse' || callee.rings;
    if (rings) {
      await ring();
      this.#status(line, 'ringing');
    }
    const { signal } = line.hungUp;
    if (callee.does === 'refuse') {
      await this.#wait(callee.afterMs, signal);
      this.#drop(line, reasonOf(callee.sipStatus, callee.phrase));
      throw refusal(callee.sipStatus, callee.phrase);
    }
    if (callee.does === 'not-answer' || callee.afterMs > request.ringingTimeoutMs) {
      await this.#wait(request.ringingTimeoutMs, signal);
      this.#drop(line, 'USER_UNAVAILABLE');
      throw ringingIsOver();
    }
    await this.#wait(callee.afterMs, signal);
    const { sipCallId } = line.info;
    this.#status(line, 'active', { 'sip.callIDFull': `${sipCallId}@carrier`, 'sip.callTag': sipCallId });
    if (callee.as === 'hangs-up') void this.#hangUpAfter(line, 500);
    if (callee.as === 'waits-in-vain') void this.#hangUpAfter(line, vainWaitMs / this.#parts.timeScale);
  }

  /** The room or the participant may go while it rings. */
  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !(await pause(ms, signal))) throw ringingIsOver();
  }

  async #hangUpAfter(line: Line, ms: number): Promise<void> {
    if (await pause(ms, line.hungUp.signal)) this.#hangUp(line);
  }

  /** As the real server does: the time counts from the dial, and ends ringing as well as talking. */
  #limit(line: Line, longestMs: number): void {
    const timer = setTimeout(() => {
      line.hungUp.abort();
      this.#hangUp(line);
    }, longestMs).unref();
    line.hungUp.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  #hangUp(line: Line): void {
    this.#status(line, 'hangup');
    this.#drop(line, 'CLIENT_INITIATED');
  }

  /** The participant leaves with the status that it had: LiveKit tells another one only after a BYE. */
  #drop(line: Line, reason: DisconnectReason): void {
    if (line.room.participants.get(line.participant.identity) === line.participant) {
      this.#parts.rooms.leave(line.room, line.participant.identity, reason);
    }
  }

  #status(line: Line, status: string, more: Readonly<Record<string, string>> = {}): void {
    line.participant.attributes = { ...line.participant.attributes, ...more, 'sip.callStatus': status };
  }
}
