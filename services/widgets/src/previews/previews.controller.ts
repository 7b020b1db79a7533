// Conversations in text by which somebody of an organization tries an agent.
import { Controller } from '@nestjs/common';
import type { contract, PreviewConversation, PreviewConversationEnd, StreamEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves, type StreamRequest } from '@parlance/rpc';
import { Host } from '@parlance/service-host';
import { TextAnswers } from '../conversations/text-answers.js';
import { endSession } from '../sessions/session-rows.js';
import { findPreview } from './preview-rows.js';
import { holderOf, Previews } from './previews.js';

type Contract = typeof contract;
type SendMessage = Contract['agentsSendPreviewMessage'];

@Controller()
@Serves()
export class PreviewsController {
  constructor(
    private readonly host: Host,
    private readonly answers: TextAnswers,
    private readonly previews: Previews,
  ) {}

  async 'agents.startPreviewConversation'({
    params: { agentId },
    body: { dynamicVariables = {} },
    caller,
    requestId,
  }: RpcRequest<Contract['agentsStartPreviewConversation']>): Promise<PreviewConversation> {
    return this.previews.start({ caller, agentId, dynamicVariables, requestId });
  }

  async 'agents.sendPreviewMessage'({
    params: { agentId, sessionId },
    body: { text },
    caller,
    signal,
  }: StreamRequest<SendMessage>): Promise<AsyncIterable<StreamEvent<SendMessage>>> {
    const asked = {
      place: { organizationId: caller.organizationId, triedAgentId: agentId },
      ...{ sessionId, text, endTokenHash: holderOf(caller) },
    };
    return this.answers.answer(asked, signal);
  }

  async 'agents.endPreviewConversation'({
    params: { agentId, sessionId },
    caller,
  }: RpcRequest<Contract['agentsEndPreviewConversation']>): Promise<PreviewConversationEnd> {
    const { db, clock } = this.host;
    const { organizationId } = caller;
    const key = { id: sessionId, organizationId, agentId, endTokenHash: holderOf(caller) };
    if ((await findPreview(db, key)) === undefined) throw new AppError('CONVERSATION_NOT_FOUND');
    await endSession(db, sessionId, 'visitor');
    const session = await findPreview(db, key);
    const { openedAt = null, endedAt = null } = session ?? {};
    const ms = openedAt === null ? 0 : (endedAt ?? clock.now()).getTime() - openedAt.getTime();
    return { sessionId, ended: true, durationSeconds: Math.max(0, ms / 1_000) };
  }
}
