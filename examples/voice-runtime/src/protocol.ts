// The protocol of the voice runtime as its client sees it (docs/voice-runtime.md). It has the context of a call, the
// configuration of the agent, and the requests of a runtime. It needs `fetch` and nothing else.

/** The call of a dispatch. A call that comes in has none: the called number names its agent. */
export interface CallContext {
  readonly callId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly configVersion: number | null;
  readonly direction: 'inbound' | 'outbound';
  readonly channel: 'phone' | 'widget' | 'preview';
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly provider: 'TWILIO' | 'TELNYX' | null;
  readonly outboundCallId: string | null;
  readonly campaignId: string | null;
  readonly widgetId: string | null;
  /** The consent of a website's visitor, given before the call began. */
  readonly consent: {
    readonly type: 'none' | 'announce' | 'verbal' | 'widget';
    readonly granted: boolean | null;
    readonly at: string | null;
    readonly textVersion: string | null;
  } | null;
  /** Each of these four is null where the agent's own is meant. */
  readonly language: string | null;
  readonly voiceId: string | null;
  readonly firstMessage: string | null;
  readonly systemPrompt: string | null;
  readonly dynamicVariables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly maxDurationSeconds: number | null;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly fillerMessage: string | null;
}

/** The members of the platform's answer that this runtime uses. */
export interface RuntimeConfig {
  readonly agent: { readonly id: string; readonly organizationId: string };
  readonly config: {
    readonly version: number;
    readonly agent_language: string;
    readonly firstMessage: string;
    readonly variables: Readonly<Record<string, { readonly default: string | null }>>;
    readonly limits: { readonly maxDurationSeconds: number };
  };
  readonly tools: readonly Tool[];
  readonly knowledge: { readonly mode: 'auto' | 'prompt' | 'none' };
  readonly initiation: { readonly action: string } | null;
  readonly runtime: { readonly baseUrl: string; readonly callToken: string | null };
}

export interface ToolResult {
  readonly result: unknown;
  readonly assignments: Readonly<Record<string, string>>;
  readonly durationMs: number;
  readonly isError: boolean;
}

export interface Passage {
  readonly knowledgeSourceId: string;
  readonly chunkId: string;
  readonly text: string;
  readonly score: number;
}

/** One saying, or one run of a tool. Times are milliseconds since the answer. */
export interface Turn {
  readonly seq: number;
  readonly role: 'agent' | 'user' | 'tool';
  readonly text: string;
  readonly interrupted?: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string;
  readonly toolCall?: {
    readonly toolId: null;
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly result: unknown;
    readonly status: 'ok' | 'error';
    readonly durationMs: number;
  };
  readonly sources?: readonly Pick<Passage, 'knowledgeSourceId' | 'chunkId' | 'score'>[];
}

/** An event of a call while it lasts. `seq` counts the events: one that was told before is ignored. */
export interface ProgressEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: 'turn';
  readonly turn: Turn;
}

/** The body of `POST /calls`, without its `eventId` and `schemaVersion`. */
export interface FinishedCall {
  readonly context: CallContext;
  readonly roomName: string;
  readonly endedReason: string;
  readonly startedAt: Date;
  readonly answeredAt: Date;
  readonly endedAt: Date;
  readonly transcript: readonly Turn[];
}

export interface PlatformOptions {
  /** The public address of the gateway, such as http://127.0.0.1:4700. */
  readonly url: string;
  readonly internalKey: string;
}

/** The facts of a call that comes in, before its agent is known. */
export interface CallIn {
  readonly callId: string;
  readonly callerNumber: string | null;
  readonly calledNumber: string;
}

const questionTimeoutMs = 12_000;
/** A person on the phone waits about so long for the first words. */
const questionForMs = 20_000;
const handOverForMs = 10 * 60_000;
const firstWaitMs = 250;
const longestWaitMs = 5_000;
/** A tool ends after a minute at the latest; the platform asks for five seconds more. */
const toolTimeoutMs = 65_000;
const searchTimeoutMs = 5_000;
const tellTimeoutMs = 5_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const dataOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { readonly data?: unknown }).data;

/** The call that a dispatch names. @throws SyntaxError for metadata that is no JSON */
export const callOf = (dispatchMetadata: string): CallContext | undefined => {
  const metadata = JSON.parse(dispatchMetadata || '{}') as Partial<CallContext>;
  return metadata.callId === undefined ? undefined : (metadata as CallContext);
};

/** The metadata of a telephone call's room: every participant can read it, so no prompt, variable or token is in it. */
export const roomMetadataOf = (call: CallContext): string =>
  JSON.stringify({
    callId: call.callId,
    organizationId: call.organizationId,
    agentId: call.agentId,
    configVersion: call.configVersion,
    direction: call.direction,
    channel: call.channel,
    fromNumber: call.fromNumber,
    toNumber: call.toNumber,
    provider: call.provider,
    outboundCallId: call.outboundCallId,
    campaignId: call.campaignId,
    widgetId: call.widgetId,
  });

/** The call that comes in, once its agent is known. */
export const callIn = (known: CallIn, { agent, config }: RuntimeConfig): CallContext => ({
  callId: known.callId,
  organizationId: agent.organizationId,
  agentId: agent.id,
  configVersion: config.version,
  direction: 'inbound',
  channel: 'phone',
  fromNumber: known.callerNumber,
  toNumber: known.calledNumber,
  ...{ provider: null, outboundCallId: null, campaignId: null, widgetId: null, consent: null },
  ...{ language: null, voiceId: null, firstMessage: null, systemPrompt: null, maxDurationSeconds: null },
  dynamicVariables: {},
  metadata: {},
});

/** The body of `POST /calls`. It keeps its `eventId`, so that a repeated hand-over is taken once. */
export const handOverOf = (call: FinishedCall, eventId: string): object => {
  const { context, startedAt, answeredAt, endedAt } = call;
  return {
    eventId,
    schemaVersion: 1,
    organizationId: context.organizationId,
    agentId: context.agentId,
    callId: context.callId,
    configVersion: context.configVersion,
    roomName: call.roomName,
    channel: context.channel,
    direction: context.direction,
    fromNumber: context.fromNumber,
    toNumber: context.toNumber,
    provider: context.provider,
    outboundCallId: context.outboundCallId,
    campaignId: context.campaignId,
    widgetId: context.widgetId,
    status: 'completed',
    endedReason: call.endedReason,
    answeredBy: call.transcript.some(({ role }) => role === 'user') ? 'human' : 'no_speech',
    startedAt: startedAt.toISOString(),
    answeredAt: answeredAt.toISOString(),
    endedAt: endedAt.toISOString(),
    durationSeconds: (endedAt.getTime() - answeredAt.getTime()) / 1_000,
    transcript: call.transcript,
    analysisStatus: 'skipped',
    dynamicVariables: context.dynamicVariables,
    metadata: context.metadata,
  };
};

/** Questions and hand-overs with the internal key of the runtime. */
export class Platform {
  readonly #options: PlatformOptions;

  constructor(options: PlatformOptions) {
    this.#options = options;
  }

  /** Undefined: there is nothing to run, because the agent is gone, inactive, or refuses the call. */
  configuration(call: CallContext): Promise<RuntimeConfig | undefined> {
    const { callId, channel, direction, fromNumber, toNumber, campaignId } = call;
    const facts = {
      callId,
      channel,
      direction,
      callerNumber: fromNumber,
      calledNumber: toNumber,
      campaignId,
    };
    return this.#question(`internal-config/${encodeURIComponent(call.agentId)}`, {
      ...facts,
      dynamicVariables: JSON.stringify(call.dynamicVariables),
      metadata: JSON.stringify(call.metadata),
    });
  }

  /** Undefined: no agent answers the number. */
  configurationOfNumber(call: CallIn): Promise<RuntimeConfig | undefined> {
    const facts = { ...call, channel: 'phone', direction: 'inbound' };
    return this.#question(`number-config/${encodeURIComponent(call.calledNumber)}`, facts);
  }

  /**
   * Hands a finished call over, and repeats it until it is answered.
   * @throws Error when the platform refuses it, or does not answer for ten minutes
   */
  async handOver(call: object): Promise<void> {
    const body = JSON.stringify(call);
    const headers = { 'content-type': 'application/json' };
    const response = await this.#untilAnswered('/calls', { method: 'POST', headers, body }, handOverForMs);
    if (!response.ok)
      throw new Error(`the platform refused a call: ${response.status} ${await response.text()}`);
  }

  async #question(
    path: string,
    facts: Readonly<Record<string, string | null>>,
  ): Promise<RuntimeConfig | undefined> {
    // A fact of more than 4,000 characters is refused; the platform has it from the dispatch already.
    const known = Object.entries(facts).filter((fact): fact is [string, string] => {
      const [, value] = fact;
      return value !== null && value.length <= 4_000;
    });
    const query = new URLSearchParams(known);
    const response = await this.#untilAnswered(`/agents/${path}?${query}`, { method: 'GET' }, questionForMs);
    if (!response.ok) return undefined;
    const config = (await dataOf(response)) as RuntimeConfig;
    return config.initiation?.action === 'reject' ? undefined : config;
  }

  /** Repeats a request that failed on the way, or was answered with 429 or 5xx. */
  async #untilAnswered(path: string, init: RequestInit, forMs: number): Promise<Response> {
    const deadline = Date.now() + forMs;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const answer = await this.#ask(path, init);
      if (answer instanceof Response && answer.status !== 429 && answer.status < 500) return answer;
      const askedFor = answer instanceof Response ? Number(answer.headers.get('retry-after')) * 1_000 : 0;
      if (Date.now() + Math.max(waitMs, askedFor) > deadline) {
        if (answer instanceof Response) return answer;
        throw answer;
      }
      await pause(Math.max(waitMs, askedFor));
    }
  }

  async #ask(path: string, init: RequestInit): Promise<Response | Error> {
    try {
      return await fetch(`${this.#options.url}/api/v1${path}`, {
        ...init,
        headers: { ...init.headers, 'x-internal-key': this.#options.internalKey },
        signal: AbortSignal.timeout(questionTimeoutMs),
      });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** The requests of a runtime while one call lasts, with the token of that call. None is repeated: a tool may have run. */
export class CallSession {
  readonly #callId: string;
  readonly #runtime: RuntimeConfig['runtime'];

  constructor(callId: string, runtime: RuntimeConfig['runtime']) {
    this.#callId = callId;
    this.#runtime = runtime;
  }

  /** @throws Error when the platform does not answer, or refuses */
  async runTool(name: string, toolArguments: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const body = { arguments: toolArguments };
    return (await this.#ask(`tools/${encodeURIComponent(name)}`, body, toolTimeoutMs)) as ToolResult;
  }

  /** @throws Error when the platform does not answer, or refuses */
  async searchKnowledge(query: string, limit = 3): Promise<readonly Passage[]> {
    return (await this.#ask('knowledge', { query, limit }, searchTimeoutMs)) as Passage[];
  }

  /** @throws Error when the platform does not answer, or refuses */
  async tell(events: readonly ProgressEvent[]): Promise<void> {
    await this.#ask('events', { events }, tellTimeoutMs);
  }

  async #ask(path: string, body: object, timeoutMs: number): Promise<unknown> {
    const { baseUrl, callToken } = this.#runtime;
    if (callToken === null) throw new Error('the call has no token');
    const response = await fetch(`${baseUrl}/runtime/calls/${encodeURIComponent(this.#callId)}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${callToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`${path} was refused with ${response.status}`);
    return dataOf(response);
  }
}
