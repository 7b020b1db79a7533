// The requests that widgets answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { callId } from '../values/call.js';
import { CallContext } from '../values/runtime.js';
import { secretMentions } from '../values/secret-mentions.js';
import { uuid } from '../values/text.js';
import { organizationCleared, secretUses } from './parts.js';

export const widgetsRequests = {
  widgetsSessionCall: serviceRequest({
    id: 'widgets.sessionCall',
    service: 'widgets',
    askedBy: [],
    formerly: { askedBy: ['calls-logs'], upTo: '0.2.0' },
    summary: "The context of a call in a widget's room; the metadata of the room names the call alone",
    body: z.object({ callId }),
    /** Null: not the call of a widget's session. */
    data: z.object({ context: CallContext.nullable() }),
  }),
  widgetsEndConversation: serviceRequest({
    id: 'widgets.endConversation',
    service: 'widgets',
    askedBy: ['gateway'],
    formerly: { askedBy: ['calls-logs'], upTo: '0.2.0' },
    summary: 'An operator ends a conversation in text',
    body: z.object({ callId }),
    data: z.object({
      /** False: no conversation in text has this call, or it had ended. */
      ended: z.boolean(),
    }),
  }),
  widgetsOrigins: serviceRequest({
    id: 'widgets.origins',
    service: 'widgets',
    askedBy: ['gateway'],
    summary: 'The origins whose pages may show the widget',
    body: z.object({ widgetId: uuid }),
    /** Empty for a widget that is unknown or disabled. */
    data: z.object({ allowedOrigins: z.array(z.string()) }),
  }),
  widgetsSecretReferences: serviceRequest({
    id: 'widgets.secretReferences',
    service: 'widgets',
    askedBy: [],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary: 'Which secrets a widget mentions, after the saves that are under way',
    body: z.object({ widgetId: uuid }),
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  widgetsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'widgets.organizationCleared',
    service: 'widgets',
  }),
} as const;
