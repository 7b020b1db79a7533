// The simulated voice runtime: takes a dispatch, asks the platform for the configuration, talks, and hands the call
// over.
import { randomUUID } from 'node:crypto';
import { type CallContext, callContext, type RuntimeConfig, roomMetadataOf } from '@parlance/contracts';
import { sines } from '@parlance/fake-kit/tones';
import { abilitiesOf } from './abilities.js';
import { configurationOf, contextOf, factsOf, variablesOf } from './call-context.js';
import { calleeOf } from './callee.js';
import {
  analysis,
  continued,
  conversation,
  type Line,
  type RuntimeConfiguration,
  type Turn,
  voicemail,
} from './conversation.js';
import { type Question, questionsFor } from './errands.js';
import { finishedCall } from './finished-call.js';
import { type PlatformAddress, PlatformClient } from './platform-client.js';
import { Progress } from './progress.js';
import { Recorder } from './recorder.js';
import { type Dispatch, type Participant, type Room } from './room-model.js';
import { type Rooms } from './rooms.js';
import { fillVariables } from './scripts.js';

export interface RuntimeOptions extends PlatformAddress {
  readonly agentName: string;
  readonly timeScale: number;
}

/** The runtime as a participant of a room. */
interface Presence {
  readonly identity: string;
  readonly gone: () => boolean;
  readonly removedBy: () => string | undefined;
}

interface Conversation extends Presence {
  readonly context: CallContext;
  readonly room: Room;
  readonly config: RuntimeConfiguration;
  readonly found: RuntimeConfig;
  readonly answeredAt: Date;
  /** As it was when it was answered. */
  readonly phone: Participant | undefined;
}

/** The turns of a conversation to come. All are known in advance, except the answers to questions. */
interface Sayings {
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
  readonly farewell: readonly Line[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const callEndTimeoutMs = 200_000;

const callee = (room: Room): Participant | undefined =>
  [...room.participants.values()].find(({ kind }) => kind === 'SIP');
const isActive = (participant: Participant | undefined): boolean =>
  participant?.attributes['sip.callStatus'] === 'active';

/** The sounds of simulated people: a hum for each turn, the agent's lower than that of the other party. */
const hums = { agent: 180, user: 260 } as const;
const humRate = 8_000;

const recordingOf = (spoken: readonly Turn[]) => {
  const recorder = new Recorder();
  for (const { role, startMs, endMs } of spoken) {
    if (role === 'tool') continue;
    const samples = sines([hums[role]], endMs - startMs, humRate).map((sample) => sample / 4);
    recorder.add(role === 'user' ? 'person' : 'agent', { samples, sampleRate: humRate }, startMs);
  }
  return recorder.finish();
};

export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #rooms: Rooms;
  readonly #platform: PlatformClient;
  #stopped = false;

  constructor(options: RuntimeOptions, rooms: Rooms) {
    this.#options = options;
    this.#rooms = rooms;
    this.#platform = new PlatformClient(options);
  }

  /** Holds the conversation of one dispatch to its end. */
  async take(dispatch: Dispatch, room: Room): Promise<void> {
    if (dispatch.agentName !== this.#options.agentName) return;
    const context = contextOf(dispatch.metadata);
    if (context === undefined) await this.#takeInbound(dispatch, room);
    else if (context.channel === 'phone') await this.#takeOutbound(dispatch, room, context);
  }

  async #takeOutbound(dispatch: Dispatch, room: Room, context: CallContext): Promise<void> {
    const plan = calleeOf(context.toNumber ?? '00');
    if (plan.does === 'answer' && plan.as === 'waits-in-vain') return;
    const presence = this.#join(dispatch, room);
    const answeredAt = await this.#untilAnswered(room, presence.gone);
    const phone = callee(room);
    if (answeredAt === undefined) {
      this.#rooms.leave(room, presence.identity, 'CLIENT_INITIATED');
      return;
    }
    const found = await this.#platform.configuration(`internal-config/${context.agentId}`, factsOf(context));
    if (found === undefined || found.initiation?.action === 'reject') this.#endRoom(room);
    else {
      const config = configurationOf(context, found.config);
      await this.#talk({ context, room, config, found, answeredAt, phone, ...presence });
    }
  }

  /** The dispatch names no call: the called number decides which agent answers, and the room gets its call from here. */
  async #takeInbound(dispatch: Dispatch, room: Room): Promise<void> {
    const called = await this.#untilSomebody(room);
    const toNumber = called?.attributes['sip.trunkPhoneNumber'];
    if (!called || !toNumber) return;
    const about = {
      callId: randomUUID(),
      channel: 'phone' as const,
      direction: 'inbound' as const,
      fromNumber: called.attributes['sip.phoneNumber'] ?? null,
      toNumber,
    };
    const path = `number-config/${encodeURIComponent(toNumber)}`;
    const found = await this.#platform.configuration(path, factsOf(about));
    if (found === undefined || found.initiation?.action === 'reject') {
      this.#endRoom(room);
      return;
    }
    const context = callContext({
      ...about,
      organizationId: found.agent.organizationId,
      agentId: found.agent.id,
      configVersion: found.config.version,
    });
    room.metadata = JSON.stringify(roomMetadataOf(context));
    const presence = this.#join(dispatch, room);
    const answeredAt = await this.#untilAnswered(room, presence.gone);
    const phone = callee(room);
    if (answeredAt)
      await this.#talk({ context, room, config: found.config, found, answeredAt, phone, ...presence });
    else this.#rooms.leave(room, presence.identity, 'CLIENT_INITIATED');
  }

  stop(): void {
    this.#stopped = true;
    this.#platform.stop();
  }

  #join(dispatch: Dispatch, room: Room): Presence {
    let removed: string | undefined;
    const { identity } = this.#rooms.join(room, {
      identity: `agent_${dispatch.id}`,
      kind: 'AGENT',
      metadata: '',
      attributes: {},
      onRemoved: (reason) => {
        removed = reason;
      },
    });
    return { identity, gone: () => removed !== undefined || this.#stopped, removedBy: () => removed };
  }

  async #talk(call: Conversation): Promise<void> {
    const { context, room, config, answeredAt, gone } = call;
    const variables = variablesOf(context, config);
    const inbound = context.direction === 'inbound';
    const plan = calleeOf(inbound ? '00' : (context.toNumber ?? '00'));
    const machine = plan.does === 'answer' && plan.as === 'machine';
    const first = fillVariables(context.firstMessage ?? config.firstMessage, variables);
    const message = config.voicemail.message && fillVariables(config.voicemail.message, variables);
    const abilities = abilitiesOf(context.callId, call.found.runtime);
    const { turns, script } = machine
      ? { turns: voicemail(message, config), script: undefined }
      : conversation(first, config, inbound);
    const questions = script === undefined ? [] : questionsFor(abilities, call.found, script, variables);
    // The farewell comes after the questions.
    const farewell = questions.length === 0 ? [] : turns.slice(-1).map(({ role, text }) => ({ role, text }));
    const sayings = { turns: turns.slice(0, turns.length - farewell.length), questions, farewell };
    const { spoken, isWhole } = await this.#say(call, sayings, new Progress(abilities));
    const hungUp = !gone() && !isActive(callee(room));
    const isLost = call.phone?.leftWith === 'CONNECTION_TIMEOUT';
    const operatorEnded = call.removedBy() === 'ROOM_DELETED';
    const whole = isWhole && !hungUp && !operatorEnded;
    const endedReason = operatorEnded
      ? 'operator_ended'
      : isLost
        ? 'media_failure'
        : machine
          ? 'voicemail_reached'
          : 'user_hangup';
    if (this.#stopped) return;
    if (!operatorEnded) this.#endRoom(room);
    const whatWasFound = whole && script ? { ...analysis(config), summary: script.summary } : undefined;
    const recorded = config.recording.enabled ? recordingOf(spoken) : undefined;
    // A call without its recording is better than no call.
    const recording = await (recorded && abilities?.upload(recorded))?.catch(() => null);
    await this.#platform.handOver(
      finishedCall({
        ...{ context, config, recording },
        roomName: room.name,
        startedAt: new Date(room.createdAt * 1_000),
        answeredAt,
        endedAt: new Date(),
        endedReason,
        answeredBy: machine ? 'machine_voicemail' : 'human',
        transcript: spoken,
        latency: { e2eP50Ms: 820, e2eP95Ms: 1_240, llmP50Ms: 460, ttsP50Ms: 95, sttP50Ms: 150 },
        telephony: 'simulated',
        ...(whatWasFound && { found: whatWasFound }),
      }),
    );
  }

  /** Says one turn after the other, as long as the callee is connected and the runtime is in the room. */
  async #say(
    { room, config, gone }: Conversation,
    { turns, questions, farewell }: Sayings,
    progress: Progress,
  ): Promise<{ readonly spoken: readonly Turn[]; readonly isWhole: boolean }> {
    const spoken: Turn[] = [];
    const listening = (): boolean => !gone() && isActive(callee(room));
    const say = async (next: readonly Turn[]): Promise<boolean> => {
      for (const turn of next) {
        if (!listening()) return false;
        spoken.push(turn);
        progress.said(turn);
        await this.#speak((turn.endMs - turn.startMs + 400) / this.#options.timeScale, listening);
      }
      return true;
    };
    const then = (lines: readonly Line[]): Promise<boolean> =>
      say(continued(spoken, lines, config.agent_language));
    let isWhole = await say(turns);
    for (const { question, answer } of questions) {
      if (!isWhole) break;
      isWhole =
        (await then([{ role: 'user', text: question }])) && listening() && (await then(await answer()));
    }
    return { spoken, isWhole: isWhole && (await then(farewell)) };
  }

  /** Takes as long as speaking takes, and stops at once when no party listens any more. */
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

  async #untilSomebody(room: Room): Promise<Participant | undefined> {
    const deadline = Date.now() + callEndTimeoutMs;
    while (!this.#stopped && callee(room) === undefined && Date.now() < deadline) await pause(20);
    return callee(room);
  }

  #endRoom(room: Room): void {
    if (this.#rooms.list([room.name])[0] === room) this.#rooms.delete(room.name);
  }
}
