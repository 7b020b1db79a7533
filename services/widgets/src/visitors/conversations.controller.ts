// Messages of visitors in conversations in text, and operators that end such a conversation.
import { Controller } from '@nestjs/common';
import type { contract, Result, StreamEvent, serviceRequests } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { Database } from '@parlance/postgres';
import { type RpcRequest, Serves, type StreamRequest } from '@parlance/rpc';
import { type AnswerEvent, TextAnswers } from '../conversations/text-answers.js';
import { endConversationOfCall } from '../sessions/session-rows.js';
import { EnabledWidgets } from '../widgets/enabled-widgets.js';
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
  constructor(
    private readonly db: Database,
    private readonly widgets: EnabledWidgets,
    private readonly answers: TextAnswers,
  ) {}

  async 'widgets.sendMessage'({
    params: { widgetId, sessionId },
    body: { endToken = '', text },
    caller,
    signal,
  }: StreamRequest<SendMessage>): Promise<AsyncIterable<StreamEvent<SendMessage>>> {
    refuseOtherOrigins(await this.widgets.get(widgetId), visitorOf(caller));
    const asked = { place: { widgetId }, sessionId, text, endTokenHash: sha256(endToken) };
    return forVisitors(await this.answers.answer(asked, signal));
  }

  async 'widgets.endConversation'({
    body: { callId },
    caller,
  }: RpcRequest<EndConversation>): Promise<Result<EndConversation>> {
    return { ended: await endConversationOfCall(this.db, caller.organizationId, callId) };
  }
}
