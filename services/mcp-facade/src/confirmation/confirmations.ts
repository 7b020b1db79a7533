// Decides whether a tool may act now: it was confirmed, or its caller needs no confirmation. Else the answer previews
// the effect.
import type { CallerView } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { Arguments, FoldedTool } from '../fold/tools.js';
import type { CallersGateway } from '../gateway/gateway.js';
import { costs } from './costs.js';
import { Look } from './look.js';
import { losses } from './losses.js';
import type { Preview, Previewer } from './preview.js';
import { type ConfirmationTokens, refusedToken, type Subject } from './tokens.js';
import { claimUse, deleteExpired } from './uses.js';

const previewers: Readonly<Record<string, Previewer>> = { ...costs, ...losses };

/** A tool that a caller would like to use. */
export interface Wish {
  readonly tool: FoldedTool;
  /** The arguments without the token of a confirmation. */
  readonly given: Arguments;
  readonly caller: CallerView;
  readonly gateway: CallersGateway;
  readonly channel: Subject['channel'];
}

export interface Asked extends Preview {
  readonly token: string;
  readonly expiresAt: Date;
}

export class Confirmations {
  readonly #db: Database;
  readonly #tokens: ConfirmationTokens;
  readonly #clock: Clock;

  constructor(parts: { readonly db: Database; readonly tokens: ConfirmationTokens; readonly clock: Clock }) {
    this.#db = parts.db;
    this.#tokens = parts.tokens;
    this.#clock = parts.clock;
  }

  /** The question for a person. @throws AppError where the tool would be refused */
  async ask(wish: Wish): Promise<Asked> {
    const preview = previewers[wish.tool.name];
    if (preview === undefined) throw new Error(`${wish.tool.name} has no preview`);
    const told = await preview(new Look(wish.gateway), wish.given);
    return { ...told, ...this.#tokens.issue(subjectOf(wish)) };
  }

  /**
   * Uses a confirmation up. From here on the tool acts, or has failed; this confirmation is good for nothing else.
   * @returns the id of the confirmation
   * @throws AppError CONFIRMATION_INVALID
   */
  async use(token: string, wish: Wish): Promise<string> {
    const { id, expiresAt } = this.#tokens.open(token, subjectOf(wish));
    const { organizationId } = wish.caller;
    const isFirst = await claimUse(this.#db, { organizationId, confirmationId: id, expiresAt });
    if (!isFirst) throw refusedToken('used');
    return id;
  }

  forgetExpired(): Promise<void> {
    return deleteExpired(this.#db, this.#clock.now());
  }
}

const subjectOf = ({ tool, given, caller, channel }: Wish): Subject => ({
  organizationId: caller.organizationId,
  actor: `${caller.actor.type}:${caller.actor.id}`,
  tool: tool.name,
  arguments: given,
  channel,
});

/** Refuses here the calls that the gateway would refuse after any confirmation, so that no person is asked. */
export const refuseInVain = ({ row }: FoldedTool, { permissions }: CallerView, released: boolean): void => {
  if (!released) throw new AppError('NOT_IMPLEMENTED');
  if (row.auth.kind === 'org' && !row.auth.anyOf.some((permission) => permissions.includes(permission)))
    throw new AppError('PERMISSION_DENIED', { details: { required: row.auth.anyOf } });
};
