// Messages of visitors in conversations in text, and operators that end such a conversation.
import { Controller } from '@nestjs/common';
import type { contract, Result, StreamEvent, serviceRequests } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { type RpcRequest, Serves, type StreamRequest } from '@parlance/rpc';
import { type AnswerEvent, answerMessage } from '../conversations/answer-message.js';
import { Parts } from '../parts.js';
import { endConversationOfCall } from '../sessions/session-rows.js';
import { refuseOtherOrigins, visitorOf } from './visitor.js';

type SendMessage = (typeof contract)['widgetsSendMessage'];
type EndConversation = (typeof serviceRequests)['widgetsEndConversation'];

/** Visitors of a website learn neither that a tool ran nor with which arguments, and no model that the operator uses. */
async function* forVisitors(events: AsyncIterable<AnswerEvent>): AsyncGenerator<StreamEvent<SendMessage>> {
  for await (const event of events) {
    if (event.event === 'tool') continue;
    if (event.event !== 'done') yield event;
    else {
      const { model: _model, fallbacks: _fallbacks, timings: _timings, ...turn } = event.data.turn;
      yield { event: 'done', data: { turn } };
    }
  }
}

@Controller()
@Serves()
export class ConversationsController {
  constructor(private readonly parts: Parts) {}

  async 'widgets.sendMessage'({
    params: { widgetId, sessionId },
    body: { endToken = '', text },
    caller,
    signal,
  }: StreamRequest<SendMessage>): Promise<AsyncIterable<StreamEvent<SendMessage>>> {
    refuseOtherOrigins(await this.parts.widgets.get(widgetId), visitorOf(caller));
    const { ids, clock } = this.parts;
    const asked = { place: { widgetId }, sessionId, text, endTokenHash: sha256(endToken) };
    return forVisitors(
      await answerMessage(this.parts, { ...asked, answerId: ids.next(), now: clock.now() }, signal),
    );
  }

  async 'widgets.endConversation'({
    body: { callId },
    caller,
  }: RpcRequest<EndConversation>): Promise<Result<EndConversation>> {
    return { ended: await endConversationOfCall(this.parts.db, caller.organizationId, callId) };
  }
}
