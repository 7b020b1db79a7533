// One visitor's conversation: it is chosen, agreed to, opened, held and ended. The file acts; `phase.ts` says where it stands.

import type { Platform } from '../wire/platform.js';
import type { Mode, Session, SessionWish, WidgetConfig } from '../wire/shapes.js';
import type { Channel, ChannelEvents, ConnectVoice, Devices, VoiceChannel } from './channel.js';
import { openMicrophone } from './microphone.js';
import { openSession } from './opening.js';
import { type EndReason, type Happening, idle, liveMode, next, type Phase } from './phase.js';
import { type Failure, failureOf } from './problems.js';
import { textChannel } from './text-channel.js';
import { type Line, type Transcript, withLine } from './transcript.js';

/** The element's side: settings are read when a conversation begins. */
export interface Host {
  readonly platform: Platform;
  readonly config: WidgetConfig;
  wish(mode: Mode): SessionWish;
  loadVoice(): Promise<ConnectVoice>;
  changed(): void;
  started(session: Session): void;
  said(line: Line): void;
  ended(session: Session, reason: EndReason, seconds: number): void;
  failed(failure: Failure): void;
}

interface Live {
  readonly session: Session;
  readonly channel: Channel;
  readonly startedAt: number;
  /** The end of the session by this page's clock. */
  readonly endsAt: number;
  readonly timers: readonly ReturnType<typeof setTimeout>[];
}

const warnBeforeMs = 60_000;
/** The room is closed by the platform a moment later, so an end near the limit is the limit's. */
const closeToLimitMs = 3_000;

export class Conversation {
  readonly #host: Host;
  #phase: Phase = idle;
  #lines: Transcript = [];
  #run: AbortController | undefined;
  #live: Live | undefined;
  #voice: VoiceChannel | undefined;
  /** Events of a room while it is being joined. */
  #untold: (() => void)[] = [];
  #count = 0;
  isMuted = false;
  isSilenced = false;
  isNearlyOver = false;
  volume = 1;

  constructor(host: Host) {
    this.#host = host;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get lines(): Transcript {
    return this.#lines;
  }

  /** Begins in this mode, unless a conversation is under way. */
  choose(mode: Mode): void {
    const { consent } = this.#host.config;
    const before = this.#phase;
    this.#happen({ type: 'chosen', mode, needsConsent: consent.required });
    if (this.#phase !== before && this.#phase.name === 'connecting') void this.#begin(mode);
  }

  agree(): void {
    if (this.#phase.name !== 'consent') return;
    const { mode } = this.#phase;
    this.#happen({ type: 'agreed' });
    void this.#begin(mode);
  }

  /** Ends the conversation under way, or puts an ended one away. */
  end(reason: EndReason = 'visitor'): void {
    if (this.#live !== undefined) {
      this.#finish(reason);
      return;
    }
    this.#run?.abort();
    this.#happen({ type: 'withdrawn' });
  }

  /** @returns false when there is no conversation, or the text did not reach it */
  async say(text: string): Promise<boolean> {
    this.#count += 1;
    return this.#send({ id: `own-${this.#count}`, side: 'visitor', text, final: true });
  }

  /** Sends a line again that did not reach the platform. */
  async repeat(id: string): Promise<boolean> {
    const line = this.#lines.find((one) => one.id === id);
    return line === undefined ? false : this.#send({ ...line, undelivered: false });
  }

  async mute(isMuted: boolean): Promise<void> {
    await this.#voice?.mute(isMuted);
    this.isMuted = isMuted && this.#voice !== undefined;
    this.#host.changed();
  }

  setVolume(volume: number): void {
    this.volume = volume;
    this.#voice?.setVolume(volume);
    this.#host.changed();
  }

  devices(): Promise<Devices> | undefined {
    return this.#voice?.devices();
  }

  async chooseDevice(kind: 'input' | 'output', id: string): Promise<void> {
    await this.#voice?.choose(kind, id);
  }

  async playSound(): Promise<void> {
    await this.#voice?.playSound();
  }

  #happen(happening: Happening): void {
    this.#phase = next(this.#phase, happening);
    this.#host.changed();
  }

  #put(line: Line): void {
    this.#lines = withLine(this.#lines, line);
    this.#host.changed();
  }

  async #send(line: Line): Promise<boolean> {
    const { channel } = this.#live ?? {};
    if (channel === undefined) return false;
    this.#put(line);
    this.#host.said(line);
    const isSent = await channel.send(line.text, line.id).catch(() => false);
    if (!isSent) this.#put({ ...line, undelivered: true });
    return isSent;
  }

  async #begin(mode: Mode): Promise<void> {
    const run = new AbortController();
    this.#run = run;
    this.#lines = [];
    this.#untold = [];
    try {
      await (mode === 'voice' ? this.#beginVoice(run.signal) : this.#beginText(run.signal));
    } catch (error) {
      if (run.signal.aborted) return;
      const failure = failureOf(error);
      this.#happen({ type: 'failed', problem: failure.problem });
      this.#host.failed(failure);
    }
  }

  async #beginText(signal: AbortSignal): Promise<void> {
    const session = await this.#open('text', signal);
    const { platform } = this.#host;
    const events = this.#events(signal);
    this.#hold(session, textChannel({ platform, session, events }), signal);
    const { firstMessage } = session;
    if (firstMessage) events.line({ id: 'first', side: 'agent', text: firstMessage, final: true });
  }

  async #beginVoice(signal: AbortSignal): Promise<void> {
    const loading = this.#host.loadVoice();
    // The failure of the load counts when the voice is needed, and not before.
    loading.catch(() => undefined);
    let microphone: MediaStreamTrack | undefined = await openMicrophone();
    const release = (): void => {
      microphone?.stop();
      microphone = undefined;
    };
    let session: Session | undefined;
    try {
      const connect = await loading;
      signal.throwIfAborted();
      session = await this.#open('voice', signal, release);
      microphone ??= await openMicrophone();
      const events = this.#events(signal);
      const channel = await connect({ session, microphone, volume: this.volume, events });
      if (!signal.aborted) this.#voice = channel;
      this.#hold(session, channel, signal);
    } catch (error) {
      release();
      if (session !== undefined) void this.#host.platform.end(session, 'failed').catch(() => undefined);
      throw error;
    }
  }

  #open(mode: Mode, signal: AbortSignal, whileQueued: () => void = () => undefined): Promise<Session> {
    return openSession({
      ...{ platform: this.#host.platform, wish: () => this.#host.wish(mode), signal },
      queued: ({ position, text }) => {
        whileQueued();
        this.#happen({ type: 'queued', position, text });
      },
      admitted: () => this.#happen({ type: 'admitted' }),
    });
  }

  #hold(session: Session, channel: Channel, signal: AbortSignal): void {
    if (signal.aborted) {
      channel.close();
      void this.#host.platform.end(session, 'withdrawn').catch(() => undefined);
      return;
    }
    const lastsMs = session.maxDurationSeconds * 1_000;
    const warn = (): void => {
      this.isNearlyOver = true;
      this.#host.changed();
    };
    const timers = [
      ...(lastsMs > 2 * warnBeforeMs ? [setTimeout(warn, lastsMs - warnBeforeMs)] : []),
      setTimeout(() => this.#finish('time'), lastsMs),
    ];
    const now = Date.now();
    this.#live = { session, channel, startedAt: now, endsAt: now + lastsMs, timers };
    this.#happen({ type: 'connected' });
    this.#host.started(session);
    for (const tell of this.#untold.splice(0)) tell();
  }

  #events(signal: AbortSignal): ChannelEvents {
    const ifLive = (act: () => void): void => {
      if (signal.aborted) return;
      if (this.#live === undefined) this.#untold.push(act);
      else act();
    };
    return {
      line: (line) =>
        ifLive(() => {
          this.#put(line);
          this.#host.said(line);
        }),
      agent: (state) => ifLive(() => this.#happen({ type: 'agent', state })),
      lost: () => ifLive(() => this.#happen({ type: 'lost' })),
      recovered: () => ifLive(() => this.#happen({ type: 'recovered' })),
      closed: (reason) => ifLive(() => this.#finish(this.#isAtLimit() ? 'time' : reason)),
      silenced: (isSilenced) =>
        ifLive(() => {
          this.isSilenced = isSilenced;
          this.#host.changed();
        }),
    };
  }

  #isAtLimit(): boolean {
    return this.#live !== undefined && Date.now() > this.#live.endsAt - closeToLimitMs;
  }

  /** The one way out of a conversation that has begun: it runs once. */
  #finish(reason: EndReason): void {
    const live = this.#live;
    if (live === undefined || liveMode(this.#phase) === undefined) return;
    this.#live = undefined;
    this.#voice = undefined;
    this.#run?.abort();
    live.timers.forEach(clearTimeout);
    live.channel.close();
    this.isMuted = false;
    this.isSilenced = false;
    this.isNearlyOver = false;
    const seconds = Math.round((Date.now() - live.startedAt) / 1_000);
    // If the request is lost, the platform ends the session by itself: an empty room, or its time.
    void this.#host.platform.end(live.session, reason).catch(() => undefined);
    this.#happen({ type: 'finished', reason, seconds });
    this.#host.ended(live.session, reason, seconds);
  }
}
