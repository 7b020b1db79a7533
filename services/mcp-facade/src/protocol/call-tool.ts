// One call of a tool: arguments judged, a person asked where that is due, the operation asked of the gateway.

import {
  acceptedContent,
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ApiAnswer } from '@parlance/client';
import { isReleased, parseLossless } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { stringifyJson, withoutTokens, withTokens } from '@parlance/json';
import type { Logger } from '@parlance/observability';
import { z } from 'zod';
import { type Asked, type Confirmations, refuseInVain, type Wish } from '../confirmation/confirmations.js';
import type { ConfirmationRequired } from '../fold/answers.js';
import { type Arguments, type FoldedTool, tokenArgument, tools } from '../fold/tools.js';
import { failedTool } from './refusals.js';
import type { Session } from './session.js';

export interface ToolParts {
  readonly confirmations: Confirmations;
  readonly logger: Logger;
}

type Answer = CallToolResult | InputRequiredResult;

/** Name of the question in an elicitation. */
const question = 'confirm';
const Agreement = z.object({ agree: z.boolean().meta({ title: 'Do it' }) });

/** Name under which a client may make a repeated call harmless, in `_meta`. */
const idempotencyMeta = 'parlance/idempotencyKey';

const structured = (content: Readonly<Record<string, unknown>>): CallToolResult => ({
  structuredContent: withTokens(content) as Readonly<Record<string, unknown>>,
  content: [{ type: 'text', text: stringifyJson(content) }],
});

/**
 * Since protocol 2026-07-28 the client declares its abilities with each request. Earlier clients are shown a preview.
 */
const canElicit = (ctx: ServerContext): boolean => {
  const envelope: Readonly<Record<string, unknown>> = { ...ctx.mcpReq.envelope };
  const { elicitation }: { elicitation?: unknown } = Object(envelope[CLIENT_CAPABILITIES_META_KEY]);
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
};

const previewOf = ({ summary, worstCaseMicros, currency, expiresAt, token }: Asked): CallToolResult => {
  const content: ConfirmationRequired = {
    status: 'confirmation_required',
    ...{ summary, worstCaseMicros, currency },
    expiresAt: expiresAt.toISOString(),
    confirmationToken: token,
  };
  return structured(content);
};

const elicitationOf = ({ summary, token }: Asked): InputRequiredResult =>
  inputRequired({
    inputRequests: { [question]: inputRequired.elicit({ message: summary, requestedSchema: Agreement }) },
    requestState: token,
  });

export class ToolCalls {
  readonly #parts: ToolParts;

  constructor(parts: ToolParts) {
    this.#parts = parts;
  }

  /** @throws ProtocolError for a tool that does not exist */
  async call(session: Session, { params }: CallToolRequest, ctx: ServerContext): Promise<Answer> {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    try {
      return await this.#answer(session, tool, params, ctx);
    } catch (error) {
      if (error instanceof AppError) return failedTool(error, session.requestId);
      throw error;
    }
  }

  async #answer(
    session: Session,
    tool: FoldedTool,
    { arguments: tokens = {}, _meta }: CallToolRequest['params'],
    ctx: ServerContext,
  ): Promise<Answer> {
    const sent = withoutTokens(tokens) as Arguments;
    if (!tool.isConfirmed) return this.#do(session, tool, sent, Object(_meta)[idempotencyMeta], ctx);
    const { [tokenArgument]: token, ...given } = sent;
    // Judged before a person is asked, so that a person never decides about a call that would be refused anyway.
    const { caller, gateway } = session;
    refuseInVain(tool, caller, isReleased(tool.row));
    tool.partsOf(given);
    if (caller.mcpConfirm === 'never')
      return this.#do(session, tool, given, Object(_meta)[idempotencyMeta], ctx);
    const wish = { tool, given, caller, gateway };
    if (token !== undefined)
      return this.#confirmed(session, String(token), { ...wish, channel: 'preview' }, ctx);
    if (!canElicit(ctx))
      return previewOf(await this.#parts.confirmations.ask({ ...wish, channel: 'preview' }));
    return this.#elicit(session, { ...wish, channel: 'elicitation' }, ctx);
  }

  async #elicit(session: Session, wish: Wish, ctx: ServerContext): Promise<Answer> {
    const state = ctx.mcpReq.requestState();
    const answer = inputResponse(ctx.mcpReq.inputResponses, question);
    if (typeof state !== 'string' || answer.kind === 'missing')
      return elicitationOf(await this.#parts.confirmations.ask(wish));
    const agreed = acceptedContent(ctx.mcpReq.inputResponses, question, Agreement);
    if (agreed?.agree !== true) throw new AppError('CONFIRMATION_DECLINED');
    return this.#confirmed(session, state, wish, ctx);
  }

  async #confirmed(session: Session, token: string, wish: Wish, ctx: ServerContext): Promise<Answer> {
    const id = await this.#parts.confirmations.use(token, wish);
    return this.#do(session, wish.tool, wish.given, `mcp-confirmation-${id}`, ctx);
  }

  async #do(
    { gateway }: Session,
    tool: FoldedTool,
    given: Arguments,
    idempotencyKey: unknown,
    ctx: ServerContext,
  ): Promise<CallToolResult> {
    const { row } = tool;
    const takesKey = row.method === 'POST' && typeof idempotencyKey === 'string';
    const answer = await gateway.call(row, tool.partsOf(given), {
      ...(takesKey ? { idempotencyKey } : {}),
      // A confirmed call is carried through, even when the client goes away meanwhile.
      ...(tool.isConfirmed ? {} : { signal: ctx.mcpReq.signal }),
    });
    return structured(this.#held(tool, answer));
  }

  /** The answer as the schema of the tool promises it. */
  #held({ done, row }: FoldedTool, { message, data }: ApiAnswer<unknown>): Readonly<Record<string, unknown>> {
    const parsed = parseLossless(done, { message, data });
    if (parsed.success) return parsed.data;
    const fields = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`);
    this.#parts.logger.error(
      { operation: row.id, fields },
      'an answer of the gateway does not fit its schema',
    );
    throw new AppError('INTERNAL_ERROR');
  }
}
