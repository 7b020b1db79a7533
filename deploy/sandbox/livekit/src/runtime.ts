// The simulated voice runtime: takes a dispatch, asks the platform what to run with, talks, and hands the call over.
import { randomUUID } from 'node:crypto';
import { calleeOf } from './callee.js';
import {
  analysis,
  conversation,
  type RuntimeConfiguration,
  type Turn,
  usage,
  voicemail,
} from './conversation.js';
import { type Dispatch, type Participant, type Room } from './room-model.js';
import { type Rooms } from './rooms.js';
import { fillVariables } from './scripts.js';

export interface RuntimeOptions {
  readonly platformUrl: string;
  readonly internalKey: string;
  readonly agentName: string;
  readonly timeScale: number;
}

/** What the platform writes into dispatch metadata. */
interface CallContext {
  readonly callId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly configVersion?: number | null;
  readonly channel: string;
  readonly direction: string;
  readonly fromNumber?: string | null;
  readonly toNumber?: string | null;
  readonly provider?: string | null;
  readonly outboundCallId?: string | null;
  readonly campaignId?: string | null;
  readonly dynamicVariables?: Readonly<Record<string, string>>;
  readonly firstMessage?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const callEndTimeoutMs = 200_000;
const handOverForMs = 10 * 60_000;

const callee = (room: Room): Participant | undefined =>
  [...room.participants.values()].find(({ kind }) => kind === 'SIP');
const isActive = (participant: Participant | undefined): boolean =>
  participant?.attributes['sip.callStatus'] === 'active';

export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #rooms: Rooms;
  #stopped = false;

  constructor(options: RuntimeOptions, rooms: Rooms) {
    this.#options = options;
    this.#rooms = rooms;
  }

  /** Holds the conversation of one dispatch to its end. */
  async take(dispatch: Dispatch, room: Room): Promise<void> {
    const context = JSON.parse(dispatch.metadata || '{}') as CallContext; // written by the platform
    const plan = calleeOf(context.toNumber ?? '00');
    if (dispatch.agentName !== this.#options.agentName || context.channel !== 'phone') return;
    if (plan.does === 'answer' && plan.as === 'waits-in-vain') return;
    let removed: string | undefined;
    const agent = this.#rooms.join(room, {
      identity: `agent_${dispatch.id}`,
      kind: 'AGENT',
      metadata: '',
      attributes: {},
      onRemoved: (reason) => {
        removed = reason;
      },
    });
    const gone = (): boolean => removed !== undefined || this.#stopped;
    const answeredAt = await this.#untilAnswered(room, gone);
    if (answeredAt === undefined) {
      this.#rooms.leave(room, agent.identity, 'CLIENT_INITIATED');
      return;
    }
    const config = await this.#configuration(context.agentId);
    if (config === undefined) {
      this.#endRoom(room);
      return;
    }
    await this.#talk({ context, room, config, answeredAt, gone, removedBy: () => removed });
  }

  stop(): void {
    this.#stopped = true;
  }

  async #talk(call: {
    readonly context: CallContext;
    readonly room: Room;
    readonly config: RuntimeConfiguration;
    readonly answeredAt: Date;
    readonly gone: () => boolean;
    readonly removedBy: () => string | undefined;
  }): Promise<void> {
    const { context, room, config, answeredAt, gone } = call;
    const variables = context.dynamicVariables ?? {};
    const plan = calleeOf(context.toNumber ?? '00');
    const machine = plan.does === 'answer' && plan.as === 'machine';
    const first = fillVariables(context.firstMessage ?? config.firstMessage, variables);
    const message = config.voicemail.message && fillVariables(config.voicemail.message, variables);
    const { turns, script } = machine
      ? { turns: voicemail(message, config), script: undefined }
      : conversation(first, config);
    const spoken: Turn[] = [];
    for (const turn of turns) {
      if (gone() || !isActive(callee(room))) break;
      spoken.push(turn);
      await this.#speak(
        (turn.endMs - turn.startMs + 400) / this.#options.timeScale,
        () => !gone() && isActive(callee(room)),
      );
    }
    const hungUp = !gone() && !isActive(callee(room));
    const operatorEnded = call.removedBy() === 'ROOM_DELETED';
    const whole = spoken.length === turns.length && !hungUp && !operatorEnded;
    const endedReason = operatorEnded ? 'operator_ended' : machine ? 'voicemail_reached' : 'user_hangup';
    if (this.#stopped) return;
    if (!operatorEnded) this.#endRoom(room);
    const endedAt = new Date();
    const talkSeconds = (endedAt.getTime() - answeredAt.getTime()) / 1_000;
    await this.#handOver({
      eventId: randomUUID(),
      schemaVersion: 1,
      organizationId: context.organizationId,
      agentId: context.agentId,
      callId: context.callId,
      configVersion: context.configVersion ?? null,
      roomName: room.name,
      channel: context.channel,
      direction: context.direction,
      fromNumber: context.fromNumber ?? null,
      toNumber: context.toNumber ?? null,
      provider: context.provider ?? null,
      providerCallId: null,
      outboundCallId: context.outboundCallId ?? null,
      campaignId: context.campaignId ?? null,
      status: 'completed',
      endedReason,
      answeredBy: machine ? 'machine_voicemail' : 'human',
      startedAt: new Date(room.createdAt * 1_000).toISOString(),
      answeredAt: answeredAt.toISOString(),
      endedAt: endedAt.toISOString(),
      durationSeconds: talkSeconds,
      transcript: spoken,
      usage: usage(spoken, talkSeconds, config),
      latency: { e2eP50Ms: 820, e2eP95Ms: 1_240, llmP50Ms: 460, ttsP50Ms: 95, sttP50Ms: 150 },
      ...(whole && script
        ? { ...analysis(config), summary: script.summary, successful: 'success', analysisStatus: 'completed' }
        : { analysisStatus: 'skipped' }),
      dynamicVariables: variables,
      metadata: context.metadata ?? {},
    });
  }

  /** Takes as long as speaking takes, and stops at once when nobody listens any more. */
  async #speak(ms: number, listening: () => boolean): Promise<void> {
    const end = Date.now() + ms;
    while (listening() && Date.now() < end) await pause(Math.min(20, end - Date.now()));
  }

  async #untilAnswered(room: Room, gone: () => boolean): Promise<Date | undefined> {
    const deadline = Date.now() + callEndTimeoutMs;
    let seen = false;
    while (!gone() && Date.now() < deadline) {
      const participant = callee(room);
      if (isActive(participant)) return new Date();
      if (seen && participant === undefined) return undefined;
      seen ||= participant !== undefined;
      await pause(20);
    }
    return undefined;
  }

  #endRoom(room: Room): void {
    if (this.#rooms.list([room.name])[0] === room) this.#rooms.delete(room.name);
  }

  async #configuration(agentId: string): Promise<RuntimeConfiguration | undefined> {
    for (let attempt = 1; attempt <= 20 && !this.#stopped; attempt += 1) {
      const response = await this.#ask(`/agents/internal-config/${agentId}`, { method: 'GET' });
      if (response?.ok) {
        const body = (await response.json()) as { readonly data: { readonly config: RuntimeConfiguration } };
        return body.data.config;
      }
      if (response && response.status < 500 && response.status !== 429) return undefined;
      await pause(250);
    }
    return undefined;
  }

  /** Tries for ten minutes: a finished call is not lost because the platform restarts. */
  async #handOver(call: object): Promise<void> {
    const deadline = Date.now() + handOverForMs;
    for (let wait = 200; !this.#stopped && Date.now() < deadline; wait = Math.min(wait * 2, 5_000)) {
      const response = await this.#ask('/calls', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      if (response && response.status < 500 && response.status !== 429) {
        if (!response.ok)
          process.stderr.write(`simulated runtime: the platform refused a call: ${await response.text()}\n`);
        return;
      }
      await pause(wait);
    }
  }

  async #ask(path: string, init: RequestInit): Promise<Response | undefined> {
    try {
      return await fetch(`${this.#options.platformUrl}/api/v1${path}`, {
        ...init,
        headers: { ...init.headers, 'x-internal-key': this.#options.internalKey },
        signal: AbortSignal.timeout(10_000),
      });
    } catch {
      return undefined;
    }
  }
}
