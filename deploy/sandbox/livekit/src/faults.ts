// Faults on demand, so that tests can see the platform meet a provider that fails.

export const sipModes = [
  'ok',
  'refuse',
  '4xx',
  '429',
  '5xx-before',
  '5xx-after',
  'hang-after',
  'reset-after',
  'slow',
] as const;
export type SipMode = (typeof sipModes)[number];
export const webhookModes = ['ok', 'duplicate', 'reorder', 'drop', 'late', 'forged'] as const;
export type WebhookMode = (typeof webhookModes)[number];

interface Setting<M> {
  readonly mode: M;
  remaining: number;
  readonly ms: number;
}

export class Faults {
  #sip: Setting<SipMode> = { mode: 'ok', remaining: Number.POSITIVE_INFINITY, ms: 0 };
  #webhooks: Setting<WebhookMode> = { mode: 'ok', remaining: Number.POSITIVE_INFINITY, ms: 0 };

  /** @throws RangeError for a fault that does not exist */
  set(target: string, mode: string, times = Number.POSITIVE_INFINITY, ms = 0): void {
    const sip = sipModes.find((known) => known === mode);
    const webhooks = webhookModes.find((known) => known === mode);
    if (target === 'sip' && sip) this.#sip = { mode: sip, remaining: times, ms };
    else if (target === 'webhooks' && webhooks) this.#webhooks = { mode: webhooks, remaining: times, ms };
    else throw new RangeError(`no fault "${mode}" for "${target}"`);
  }

  takeSip(): { readonly mode: SipMode; readonly ms: number } {
    if (this.#sip.remaining <= 0) return { mode: 'ok', ms: 0 };
    this.#sip.remaining -= 1;
    return this.#sip;
  }

  takeWebhook(): WebhookMode {
    if (this.#webhooks.remaining <= 0) return 'ok';
    this.#webhooks.remaining -= 1;
    return this.#webhooks.mode;
  }
}
