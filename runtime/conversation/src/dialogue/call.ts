// One call as the brains see it: the configuration of its agent with what this call changes, and its variables.
import {
  type CallContext,
  fillText,
  type RuntimeConfig,
  type ToolForRuntime,
  valuesOfCall,
  withoutEmptyValues,
} from '@parlance/contracts';

export interface CallOptions {
  readonly context: CallContext;
  readonly found: RuntimeConfig;
  readonly now?: () => Date;
}

/** Providers write words such as "anonymous" where a number is withheld. */
const isNumber = (text: string): boolean => /\d{5}/.test(text);

export class Call {
  readonly context: CallContext;
  readonly found: RuntimeConfig;
  /** The beginning of the conversation. */
  startedAt: Date;
  readonly #now: () => Date;
  /** The answers of tools come before the variables of the call. */
  #assigned: Readonly<Record<string, string>> = {};

  constructor({ context, found, now = () => new Date() }: CallOptions) {
    this.context = context;
    this.found = found;
    this.#now = now;
    this.startedAt = now();
  }

  get language(): string {
    return this.context.language ?? this.found.config.agent_language;
  }

  get timezone(): string {
    return this.found.config.timezone;
  }

  /** The tools that this call may run, those of MCP servers included. */
  get tools(): readonly ToolForRuntime[] {
    return [...this.found.tools, ...this.found.mcpTools];
  }

  /** The telephone number of the other party; undefined where it is withheld, and where there is no telephone. */
  get personNumber(): string | undefined {
    const { channel, direction, fromNumber, toNumber } = this.context;
    const number = direction === 'outbound' ? toNumber : fromNumber;
    return channel === 'phone' && number !== null && isNumber(number) ? number : undefined;
  }

  now(): Date {
    return this.#now();
  }

  assign(values: Readonly<Record<string, string>>): void {
    this.#assigned = { ...this.#assigned, ...withoutEmptyValues(values) };
  }

  /** The value of a variable, or of `system.<name>`; undefined for one without a value. */
  value(name: string): string | undefined {
    const { context, found } = this;
    const { variables, timezone } = found.config;
    const now = this.now();
    const values = valuesOfCall(
      {
        agentId: context.agentId,
        callId: context.callId,
        campaignId: context.campaignId,
        direction: context.direction,
        callerNumber: context.fromNumber,
        calledNumber: context.toNumber,
        startedAt: this.startedAt.toISOString(),
        durationSeconds: Math.max(0, Math.round((now.getTime() - this.startedAt.getTime()) / 1_000)),
        dynamicVariables: { ...withoutEmptyValues(context.dynamicVariables), ...this.#assigned },
        defaults: Object.fromEntries(
          Object.entries(variables).map(([variable, { default: value }]) => [variable, value]),
        ),
        timezone,
      },
      now,
    );
    return values(name);
  }

  /** The text with its variables. @param render for the place where the values stand */
  fill(text: string, render: (value: string) => string = (value) => value): string {
    return fillText(text, (name) => {
      const value = this.value(name);
      return value === undefined ? undefined : render(value);
    });
  }
}
