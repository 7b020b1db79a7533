// Faults on demand: the operations of an engine that fail next, the mode of their failure, and its count. One instance
// per engine.

/**
 * `refuse` closes the connection before anything is done, and `4xx`, `429`, `5xx-before` and `reset-before` do nothing
 * either. `5xx-after`, `hang-after` and `reset-after` do the work, durably, and lose the answer. `slow` is late.
 */
export const faultModes = [
  'ok',
  'refuse',
  '4xx',
  '429',
  '5xx-before',
  '5xx-after',
  'hang-after',
  'reset-before',
  'reset-after',
  'slow',
] as const;
export type FaultMode = (typeof faultModes)[number];

export interface FaultSetting {
  readonly target: string;
  readonly mode: string;
  /** The number of operations that are hit; every one from now on unless given. */
  readonly times?: number | undefined;
  /** The delay of `slow`, in milliseconds. */
  readonly ms?: number | undefined;
  /** Seconds that a `429` asks the caller to wait; 1 unless given. */
  readonly retryAfter?: number | undefined;
}

export interface Fault<Mode extends string = FaultMode> {
  readonly mode: Mode;
  readonly ms: number;
  readonly retryAfterSeconds: number;
}

/** A target as it stands, with everything that it could be set to. */
export interface FaultTarget {
  readonly target: string;
  readonly mode: string;
  /** Operations still to be hit; null when there is no end to it. */
  readonly times: number | null;
  readonly modes: readonly string[];
}

/** The part of the switches that a control needs. */
export interface SwitchBoard {
  set(setting: FaultSetting): void;
  list(): FaultTarget[];
  clear(): void;
}

interface State<Mode extends string> {
  readonly modes: readonly Mode[];
  fault: Fault<Mode>;
  remaining: number;
}

const calm = { mode: 'ok', ms: 0, retryAfterSeconds: 1 } as const;

export class FaultSwitches<Extra extends string = never> implements SwitchBoard {
  readonly #targets = new Map<string, State<FaultMode | Extra>>();

  /**
   * @param targets operations that can fail as an answered request fails, such as `['append', 'read']`
   * @param extraModes more modes of a target; a target that is named only here has `ok` and these
   */
  constructor(targets: readonly string[], extraModes: Readonly<Record<string, readonly Extra[]>> = {}) {
    for (const target of new Set([...targets, ...Object.keys(extraModes)])) {
      const usual: readonly FaultMode[] = targets.includes(target) ? faultModes : ['ok'];
      this.#targets.set(target, {
        modes: [...usual, ...(extraModes[target] ?? [])],
        fault: calm,
        remaining: Number.POSITIVE_INFINITY,
      });
    }
  }

  /** @throws RangeError for a target, mode or number that does not exist */
  set({ target, mode, times, ms = 0, retryAfter = 1 }: FaultSetting): void {
    const state = this.#state(target);
    const known = state.modes.find((candidate) => candidate === mode);
    if (known === undefined)
      throw new RangeError(`no fault "${mode}" for "${target}"; there are ${state.modes.join(', ')}`);
    if ([times ?? 1, ms, retryAfter].some((amount) => !(amount >= 0)))
      throw new RangeError('times, ms and retryAfter cannot be negative');
    state.fault = { mode: known, ms, retryAfterSeconds: retryAfter };
    state.remaining = times ?? Number.POSITIVE_INFINITY;
  }

  /** The fault of the next operation of a target; counts the operation. */
  take(target: string): Fault<FaultMode | Extra> {
    const state = this.#state(target);
    if (state.remaining <= 0) return calm;
    state.remaining -= 1;
    return state.fault;
  }

  list(): FaultTarget[] {
    return [...this.#targets].map(([target, { fault, remaining, modes }]) => ({
      target,
      mode: remaining > 0 ? fault.mode : 'ok',
      times: fault.mode === 'ok' || remaining === Number.POSITIVE_INFINITY ? null : remaining,
      modes,
    }));
  }

  /** Everything works again. */
  clear(): void {
    for (const target of this.#targets.keys()) this.set({ target, mode: 'ok' });
  }

  #state(target: string): State<FaultMode | Extra> {
    const state = this.#targets.get(target);
    if (!state)
      throw new RangeError(
        `nothing called "${target}" can fail; there are ${[...this.#targets.keys()].join(', ')}`,
      );
    return state;
  }
}
