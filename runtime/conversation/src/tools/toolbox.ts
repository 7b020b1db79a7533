// The tools of one call. A name that is not attached cannot run, whoever asks for it, and arguments that do not fit the
// schema of the tool are not sent.
import type { Passage, ToolForRuntime } from '@parlance/contracts';
import type { Call } from '../dialogue/call.js';
import type { Sources, ToolCall } from '../dialogue/turns.js';
import { jsonWithoutCredentials, withoutCredentials } from '../guard/credentials.js';
import type { CallSession } from '../platform/call-session.js';
import { argumentProblems } from './arguments.js';

export type Session = Pick<CallSession, 'runTool' | 'searchKnowledge'> & Partial<Pick<CallSession, 'optOut'>>;
type Arguments = Readonly<Record<string, unknown>>;
type Json = ToolCall['result'];

export interface Found {
  readonly passages: readonly Passage[];
  readonly sources: Sources;
}

export interface ToolboxOptions {
  readonly call: Call;
  readonly session: Session;
  /** Values that no answer of a tool or a document may bring into the conversation. */
  readonly secrets?: readonly string[];
}

/** For the model. */
export const noSuchTool = (name: string): string =>
  `There is no tool named ${JSON.stringify(name.slice(0, 100))}.`;

const noAnswer = 'The tool gave no answer.';
const passagesOfSearch = 5;
const longestQuery = 1_000;

export class Toolbox {
  readonly #call: Call;
  readonly #session: Session;
  readonly #secrets: readonly string[];
  #optOut: Promise<boolean> | undefined;

  constructor({ call, session, secrets = [] }: ToolboxOptions) {
    this.#call = call;
    this.#session = session;
    this.#secrets = secrets;
  }

  get tools(): readonly ToolForRuntime[] {
    return this.#call.tools;
  }

  get canSearch(): boolean {
    return this.#call.found.knowledge.mode === 'auto';
  }

  /** There is a telephone number that must not be called again when the person asks for it. */
  get canOptOut(): boolean {
    return this.#call.personNumber !== undefined;
  }

  /** The hand-over reports it, so that it holds although a request during the call has failed. */
  get hasOptedOut(): boolean {
    return this.#optOut !== undefined;
  }

  /** The person asked not to be called again in a call that the platform has made. A caller may still need something. */
  get isOver(): boolean {
    return this.hasOptedOut && this.#call.context.direction === 'outbound';
  }

  /**
   * An interruption of the answer does not stop it.
   * @returns what happened, in words for the model
   */
  async optOut(): Promise<string> {
    const before = this.#optOut;
    const isRecorded = before === undefined ? false : await before;
    if (!isRecorded && this.#optOut === before) this.#optOut = this.#recordOptOut();
    return (await this.#optOut)
      ? 'Done. The number will not be called again.'
      : 'Noted. The number will not be called again once this call has ended.';
  }

  async #recordOptOut(): Promise<boolean> {
    try {
      if (this.#session.optOut === undefined) return false;
      await this.#session.optOut();
      return true;
    } catch {
      return false;
    }
  }

  find(name: string): ToolForRuntime | undefined {
    return this.tools.find((tool) => tool.name === name);
  }

  /** Why a tool is not run, in words for the model; undefined where it may run. */
  refusal(name: string, given: Arguments): string | undefined {
    const tool = this.find(name);
    if (tool === undefined) return noSuchTool(name);
    const problems = argumentProblems(tool.parameters, given);
    return problems.length === 0 ? undefined : `The arguments do not fit. ${problems.join('; ')}`;
  }

  /** @throws Error for a tool that is refused */
  async run(name: string, given: Arguments, signal: AbortSignal): Promise<ToolCall> {
    const tool = this.find(name);
    const refused = this.refusal(name, given);
    if (tool === undefined || refused !== undefined) throw new Error(refused);
    const startedMs = performance.now();
    const record = (status: ToolCall['status'], result: Json, durationMs?: number): ToolCall => ({
      toolId: null,
      name,
      arguments: given as ToolCall['arguments'],
      result,
      status,
      durationMs: durationMs ?? Math.round(performance.now() - startedMs),
    });
    try {
      const { timeoutMs } = tool;
      const ran = await this.#session.runTool(name, given, { signal, timeoutMs });
      this.#call.assign(ran.assignments);
      const result = jsonWithoutCredentials(ran.result, this.#secrets) as Json;
      return record(ran.isError ? 'error' : 'ok', result, ran.durationMs);
    } catch (error) {
      signal.throwIfAborted();
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
      return record(isTimeout ? 'timeout' : 'error', noAnswer);
    }
  }

  /** Empty if the search fails; the conversation continues without passages. */
  async search(query: string, signal: AbortSignal): Promise<Found> {
    const text = query.trim().slice(0, longestQuery);
    if (!this.canSearch || text === '') return { passages: [], sources: [] };
    try {
      const passages = await this.#session.searchKnowledge(text, passagesOfSearch, signal);
      return {
        passages: passages.map((passage) => ({
          ...passage,
          text: withoutCredentials(passage.text, this.#secrets),
        })),
        sources: passages.map(({ knowledgeSourceId, chunkId, score }) => ({
          knowledgeSourceId,
          chunkId,
          score,
        })),
      };
    } catch {
      signal.throwIfAborted();
      return { passages: [], sources: [] };
    }
  }
}
