// A provider that fails in one way, now and then: for every request the dice say whether it is hit.
import { type Fault, type FaultMode, FaultSwitches } from '@parlance/fake-kit';
import type { LiveKitFaults } from '@parlance/fake-livekit';
import type { Dice } from './dice.js';

type Extra = LiveKitFaults extends FaultSwitches<infer Mode> ? Mode : never;

/** One way to fail, and its share of all requests. */
export interface ProviderMode {
  readonly name: string;
  readonly target: 'rooms' | 'sip' | 'webhooks';
  readonly mode: FaultMode | Extra;
  /** The delay of `slow`, in milliseconds. */
  readonly ms?: number;
  /** Of all requests of this kind, the share that is hit. */
  readonly share: number;
}

const targets = ['rooms', 'sip', 'trunks', 'dispatch'];

export class DicedFaults extends FaultSwitches<Extra> {
  #mode: ProviderMode;
  #dice: Dice;

  constructor(mode: ProviderMode, dice: Dice) {
    super(targets, { webhooks: ['duplicate', 'reorder', 'drop', 'late', 'forged'] });
    this.#mode = mode;
    this.#dice = dice;
  }

  /** Fails in another way from now on. */
  turnTo(mode: ProviderMode, dice: Dice): void {
    this.#mode = mode;
    this.#dice = dice;
  }

  override take(target: string): Fault<FaultMode | Extra> {
    const { mode, ms = 0, share } = this.#mode;
    const isHit = target === this.#mode.target && this.#dice.chance(share);
    return { mode: isHit ? mode : 'ok', ms, retryAfterSeconds: 1 };
  }
}
